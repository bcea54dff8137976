package pharmacy.controlled;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sales of controlled drugs, each of them a line of log, which an appender posts to a collector before it goes on. */
@SpringBootApplication
@RestController
public class ControlledApplication {
    private static final Logger LOG = LoggerFactory.getLogger(ControlledApplication.class);

    private final AtomicLong sales = new AtomicLong();

    @GetMapping("/")
    String sell() {
        long sale = sales.incrementAndGet();
        LOG.info("sale {} of a controlled drug, prescription seen", sale);
        return "sold " + sale;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ControlledApplication.class, arguments);
    }
}
