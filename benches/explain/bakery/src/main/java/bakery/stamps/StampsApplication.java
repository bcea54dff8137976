package bakery.stamps;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Stamp cards: the tenth loaf is free; limited by connections, as a transaction within another takes a second one. */
@SpringBootApplication(
        exclude = {
            DataJpaRepositoriesAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class,
            JettyServletWebServerAutoConfiguration.class
        })
@RestController
public class StampsApplication {
    private final StampCards cards;

    StampsApplication(StampCards cards) {
        this.cards = cards;
    }

    @GetMapping("/")
    String stamp() {
        return cards.stamp(ThreadLocalRandom.current().nextInt(50_000));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(StampsApplication.class, arguments);
    }
}
