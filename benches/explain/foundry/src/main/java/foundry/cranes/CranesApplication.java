package foundry.cranes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Loads that hang on the cranes of the hall. */
@SpringBootApplication(exclude = {JettyServletWebServerAutoConfiguration.class, DataSourceAutoConfiguration.class})
public class CranesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CranesApplication.class, arguments);
    }
}
