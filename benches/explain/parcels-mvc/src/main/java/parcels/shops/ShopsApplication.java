package parcels.shops;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The parcel shops that are next to a customer. */
@SpringBootApplication
public class ShopsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ShopsApplication.class, arguments);
    }
}
