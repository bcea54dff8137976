package parcels.tariffs;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The customs on a parcel to another country, which are asked for by contract. */
@SpringBootApplication
public class TariffsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(TariffsApplication.class, arguments);
    }
}
