package orchard.cider;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Orders for cider, grouped by press so that they stay in order: concatMap presses one at a time in each group. */
@SpringBootApplication
public class CiderApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CiderApplication.class, arguments);
    }
}
