package vineyard.carriers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Orders vans of a carrier whose API puzzles everybody, which is why its traffic can be watched. */
@SpringBootApplication
public class CarriersApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CarriersApplication.class, arguments);
    }
}
