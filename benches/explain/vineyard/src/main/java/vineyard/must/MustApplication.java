package vineyard.must;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Samples of must, which the laboratory analyses by the tray. */
@SpringBootApplication
public class MustApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(MustApplication.class, arguments);
    }
}
