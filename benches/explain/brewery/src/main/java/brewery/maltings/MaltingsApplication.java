package brewery.maltings;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;

/** Malt that the maltings have to sell. */
@SpringBootApplication(exclude = TomcatServletWebServerAutoConfiguration.class)
public class MaltingsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(MaltingsApplication.class, arguments);
    }
}
