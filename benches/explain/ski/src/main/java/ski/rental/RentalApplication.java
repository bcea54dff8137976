package ski.rental;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Skis for rent, limited by the monitor of the one desk, for which transactions wait with all connections in hand. */
@SpringBootApplication
@RestController
public class RentalApplication {
    private final RentalService rental;

    RentalApplication(RentalService rental) {
        this.rental = rental;
    }

    @GetMapping("/")
    String rent() {
        return rental.rent(ThreadLocalRandom.current().nextLong(RentalService.PAIRS));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(RentalApplication.class, arguments);
    }
}
