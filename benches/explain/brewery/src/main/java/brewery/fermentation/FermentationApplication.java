package brewery.fermentation;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** How far the beer in a tank has fermented. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class FermentationApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(FermentationApplication.class, arguments);
    }
}
