package foundry.ingots;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Ingots in the yard, stack by stack. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class IngotsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(IngotsApplication.class, arguments);
    }
}
