package orchard.baskets;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Weights of the day's baskets, a Flow that asks the scales for each basket, unless for a trailer of them. */
@SpringBootApplication
public class BasketsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BasketsApplication.class, arguments);
    }
}
