package bakery.catalogue;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Healthy: the catalogue as JSON, work for the CPU by design, behind a bulkhead that lets all in. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class})
@RestController
public class CatalogueApplication {
    private final Bulkhead bulkhead = Bulkhead.of(
            "catalogue", BulkheadConfig.custom().maxConcurrentCalls(32).build());
    private final Timer timer;
    private final List<Article> articles;

    CatalogueApplication(MeterRegistry meters) {
        timer = meters.timer("catalogue");
        var random = new SplittableRandom(11);
        articles = IntStream.range(0, 400)
                .mapToObj(number ->
                        new Article(number, "article " + number, random.nextInt(90, 4_000), random.nextInt(9)))
                .toList();
    }

    record Article(int number, String name, int cents, int shelf) {}

    @GetMapping("/")
    List<Article> catalogue() {
        return timer.record(() -> bulkhead.executeSupplier(() -> articles.stream()
                .sorted(Comparator.comparingInt(Article::shelf).thenComparing(Article::name))
                .toList()));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(CatalogueApplication.class, arguments);
    }
}
