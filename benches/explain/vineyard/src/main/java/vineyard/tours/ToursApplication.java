package vineyard.tours;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Tours of the vineyard, with a recommendation if that costs no time. */
@SpringBootApplication
public class ToursApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ToursApplication.class, arguments);
    }
}
