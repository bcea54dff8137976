package vineyard.climate;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Temperatures of the cellars, as a maker of sensors keeps them in his cloud. */
@SpringBootApplication
public class ClimateApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ClimateApplication.class, arguments);
    }
}
