package foundry.quotes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Quotes for castings, at the price that the metal has on the exchange. */
@EnableScheduling
@SpringBootApplication(exclude = {JettyServletWebServerAutoConfiguration.class, DataSourceAutoConfiguration.class})
public class QuotesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(QuotesApplication.class, arguments);
    }
}
