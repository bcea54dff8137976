package recycling.pickups;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Days on which bins are emptied, as the city's planning service says. */
@SpringBootApplication
public class PickupsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PickupsApplication.class, arguments);
    }
}
