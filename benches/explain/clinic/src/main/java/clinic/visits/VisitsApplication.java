package clinic.visits;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Notes of the last visit, and messages to patients who are to come tomorrow. */
@SpringBootApplication
public class VisitsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(VisitsApplication.class, arguments);
    }
}
