package parcels.returns;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Parcels that are sent back, and the archive that those of last year go to meanwhile. */
@SpringBootApplication
public class ReturnsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ReturnsApplication.class, arguments);
    }
}
