package brewery.bottling;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Slots on the bottling line, which the contract bottler sells. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class BottlingApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BottlingApplication.class, arguments);
    }
}
