package vineyard.barrels;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Moves barrels between halls: a barrel must not be moved twice at a time, nor may two be moved in one hall. */
@SpringBootApplication
public class BarrelsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BarrelsApplication.class, arguments);
    }
}
