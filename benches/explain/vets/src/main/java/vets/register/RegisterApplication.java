package vets.register;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** The register of controlled drugs, in which each box that is taken is to be found whatever happens. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class RegisterApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RegisterApplication.class, arguments);
    }
}
