package windmill.readings;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Readings of the sails, of which the last ones are kept to be replayed; each request brings the next ones. */
@SpringBootApplication
public class ReadingsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ReadingsApplication.class, arguments);
    }
}
