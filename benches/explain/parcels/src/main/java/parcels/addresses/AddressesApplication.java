package parcels.addresses;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Checks addresses with the register of the city, over connections that its contract allows. */
@SpringBootApplication
public class AddressesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(AddressesApplication.class, arguments);
    }
}
