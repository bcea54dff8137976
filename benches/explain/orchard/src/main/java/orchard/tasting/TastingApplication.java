package orchard.tasting;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Notes of tastings, got by a library that waits, on a scheduler of Reactor's that coroutines share: few threads. */
@SpringBootApplication
public class TastingApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(TastingApplication.class, arguments);
    }
}
