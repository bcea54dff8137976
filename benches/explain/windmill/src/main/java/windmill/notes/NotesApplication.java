package windmill.notes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Notes for deliveries, whose signals Reactor's log operator tells to Spring Boot's console. */
@SpringBootApplication
public class NotesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(NotesApplication.class, arguments);
    }
}
