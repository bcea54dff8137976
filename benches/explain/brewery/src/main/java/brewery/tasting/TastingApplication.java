package brewery.tasting;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Facts of a beer: notes of the tasters, prices, and how much is left of it. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class TastingApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(TastingApplication.class, arguments);
    }
}
