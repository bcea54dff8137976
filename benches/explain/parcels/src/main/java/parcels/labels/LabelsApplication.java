package parcels.labels;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Labels for parcels, by a print server that is not to be asked for too many at a time. */
@SpringBootApplication
public class LabelsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LabelsApplication.class, arguments);
    }
}
