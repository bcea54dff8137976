package bakery.prices;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Prices by branch and article; limited by the common pool, on which an asynchronous cache loads if it is not told. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@RestController
public class PricesApplication {
    private final RestClient headOffice;
    private final AsyncLoadingCache<Article, String> prices = Caffeine.newBuilder()
            .maximumSize(1_000)
            .expireAfterWrite(Duration.ofMinutes(10))
            .buildAsync(this::ask);

    PricesApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        headOffice = clients.baseUrl(address).build();
    }

    record Article(int branch, int number) {}

    private String ask(Article article) {
        var answer = headOffice
                .get()
                .uri("/branches/{branch}/articles/{number}", article.branch(), article.number())
                .retrieve()
                .body(String.class);
        return "EUR " + answer.length() % 7 + ".49";
    }

    @GetMapping("/")
    String price() {
        var random = ThreadLocalRandom.current();
        return prices.get(new Article(random.nextInt(80), random.nextInt(600))).join();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PricesApplication.class, arguments);
    }
}
