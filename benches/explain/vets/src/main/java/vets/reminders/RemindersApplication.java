package vets.reminders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** When an animal is to be seen again, which the calendar knows; letters are printed in the background. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class RemindersApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RemindersApplication.class, arguments);
    }
}
