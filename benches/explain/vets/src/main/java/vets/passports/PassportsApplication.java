package vets.passports;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Passports of animals that travel, whose chips are registered elsewhere. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class PassportsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PassportsApplication.class, arguments);
    }
}
