package vets.surgery;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Slots for operations in several practices, which share one calendar. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class SurgeryApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(SurgeryApplication.class, arguments);
    }
}
