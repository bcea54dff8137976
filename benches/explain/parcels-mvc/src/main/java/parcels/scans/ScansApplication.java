package parcels.scans;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Parcels that were scanned at the gate and are told the chute that they go to. */
@SpringBootApplication
public class ScansApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScansApplication.class, arguments);
    }
}
