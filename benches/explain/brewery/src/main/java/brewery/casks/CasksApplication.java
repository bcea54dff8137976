package brewery.casks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Numbers of casks, without gaps, as the inspectors of measures demand. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class CasksApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CasksApplication.class, arguments);
    }
}
