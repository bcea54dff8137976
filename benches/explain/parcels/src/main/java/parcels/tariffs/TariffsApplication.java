package parcels.tariffs;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** What a parcel to another country costs, as customs there say, who are asked by contract. */
@SpringBootApplication
public class TariffsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(TariffsApplication.class, arguments);
    }
}
