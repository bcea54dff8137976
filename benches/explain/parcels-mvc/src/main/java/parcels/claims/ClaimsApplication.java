package parcels.claims;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Claims for parcels that broke, which the insurer decides on. */
@SpringBootApplication
public class ClaimsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ClaimsApplication.class, arguments);
    }
}
