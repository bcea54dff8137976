package orchard.blossom;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Healthy: a Mutex around what is cached, held for a moment, and watchers who wait at a Semaphore for the blossom. */
@SpringBootApplication
public class BlossomApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BlossomApplication.class, arguments);
    }
}
