package brewery.deposits;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Deposits on kegs and crates. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class DepositsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DepositsApplication.class, arguments);
    }
}
