package bakery.baskets;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Baskets that are ordered; limited by the statements for each of their lines: one for a number, one to insert it. */
@SpringBootApplication(
        exclude = {
            DataJpaRepositoriesAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class,
            TomcatServletWebServerAutoConfiguration.class
        })
@RestController
public class BasketsApplication {
    private static final List<String> GOODS =
            List.of("pretzel", "rye loaf", "croissant", "spelt roll", "poppy cake", "rusk", "bagel", "brioche");

    private final BasketRepository baskets;

    BasketsApplication(BasketRepository baskets) {
        this.baskets = baskets;
    }

    @GetMapping("/")
    String order() {
        var random = ThreadLocalRandom.current();
        var lines = IntStream.range(0, 7)
                .mapToObj(line -> new Line(GOODS.get(random.nextInt(GOODS.size())), random.nextInt(1, 9)))
                .toList();
        return "basket " + baskets.save(random.nextInt(10_000), lines) + " with " + lines.size() + " lines";
    }

    record Line(String goods, int pieces) {}

    public static void main(String[] arguments) {
        SpringApplication.run(BasketsApplication.class, arguments);
    }
}
