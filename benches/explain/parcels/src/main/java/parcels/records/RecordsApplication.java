package parcels.records;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Parcels that are handed to another carrier, which their row in the database has to know of. */
@SpringBootApplication
public class RecordsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RecordsApplication.class, arguments);
    }
}
