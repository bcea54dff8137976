package bakery.wholesale;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders of hotels and canteens; limited by HikariCP's connections, which are held while a credit bureau is asked. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
@RestController
public class WholesaleApplication {
    private final WholesaleService wholesale;

    WholesaleApplication(WholesaleService wholesale) {
        this.wholesale = wholesale;
    }

    @GetMapping("/")
    String order() {
        var random = ThreadLocalRandom.current();
        return wholesale.order(random.nextLong(WholesaleService.CUSTOMERS), random.nextInt(10, 200));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(WholesaleApplication.class, arguments);
    }
}
