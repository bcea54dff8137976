package brewery.wort;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;

/** Forecasts of a fermentation, from the wort and the yeast. */
@SpringBootApplication(exclude = TomcatServletWebServerAutoConfiguration.class)
public class WortApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(WortApplication.class, arguments);
    }
}
