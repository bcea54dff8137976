package brewery.menu;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** The menu of the tap room, with what is left in the kegs. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class MenuApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(MenuApplication.class, arguments);
    }
}
