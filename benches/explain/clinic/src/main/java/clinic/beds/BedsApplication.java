package clinic.beds;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Patients on a ward, by bed. */
@SpringBootApplication
public class BedsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BedsApplication.class, arguments);
    }
}
