package parcels.docks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Docks of a depot, at which vans that have come are loaded. */
@SpringBootApplication
public class DocksApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DocksApplication.class, arguments);
    }
}
