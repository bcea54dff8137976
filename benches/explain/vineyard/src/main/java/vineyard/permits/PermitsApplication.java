package vineyard.permits;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Permits to press grapes, for cooperatives that prove themselves by a key. */
@SpringBootApplication
public class PermitsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PermitsApplication.class, arguments);
    }
}
