package parcels.couriers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Offers parcels to couriers, whose service wants them in lists. */
@SpringBootApplication
@EnableScheduling
public class CouriersApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CouriersApplication.class, arguments);
    }
}
