package windmill.slots;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Times at the millstones: who finds none asks again a moment later, and no thread waits meanwhile. */
@SpringBootApplication
public class SlotsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(SlotsApplication.class, arguments);
    }
}
