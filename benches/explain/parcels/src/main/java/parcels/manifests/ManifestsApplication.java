package parcels.manifests;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The load of a van, as a sealed file; a computation by design. */
@SpringBootApplication
public class ManifestsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ManifestsApplication.class, arguments);
    }
}
