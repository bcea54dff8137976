package orchard.frost;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Warnings of frost by text message: the network takes few a second, so that a coroutine deals out turns. */
@SpringBootApplication
public class FrostApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(FrostApplication.class, arguments);
    }
}
