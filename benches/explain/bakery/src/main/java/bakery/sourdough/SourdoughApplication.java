package bakery.sourdough;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** When the sourdough is fed; limited by the standard output, as the full queue of an asynchronous appender blocks. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@RestController
public class SourdoughApplication {
    private static final Logger LOG = LoggerFactory.getLogger(SourdoughApplication.class);

    private final AtomicLong feedings = new AtomicLong();
    private final RestClient probes;

    SourdoughApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        probes = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    String feed() {
        long feeding = feedings.incrementAndGet();
        LOG.info("feeding {}: asking the probe in vat {} for acidity and temperature", feeding, feeding % 12);
        var reading = probes.get().uri("/vats/{vat}", feeding % 12).retrieve().body(String.class);
        LOG.info("feeding {}: the probe said {}", feeding, reading);
        long grams = 400 + reading.length();
        LOG.info(
                "feeding {}: {} g of rye and as much water, next feeding in 8 h, vat {}", feeding, grams, feeding % 12);
        return grams + " g";
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SourdoughApplication.class, arguments);
    }
}
