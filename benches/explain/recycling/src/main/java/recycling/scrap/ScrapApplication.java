package recycling.scrap;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Prices of scrap, from an exchange. */
@SpringBootApplication
public class ScrapApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScrapApplication.class, arguments);
    }
}
