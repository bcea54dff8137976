package vets.doses;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Doses of a drug for an animal, from a form that is looked through first. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class DosesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DosesApplication.class, arguments);
    }
}
