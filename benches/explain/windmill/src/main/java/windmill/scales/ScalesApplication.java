package windmill.scales;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Weights of carts, by a client that came with the weighbridge, and was made a Mono of by way of a future. */
@SpringBootApplication
public class ScalesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScalesApplication.class, arguments);
    }
}
