package airport.gates;

import airport.Partner;
import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Gates of flights from an asynchronous cache of Caffeine, which loads on the common pool, and is seldom hit. */
@SpringBootApplication
@RestController
public class GatesApplication {
    private final Planner planner = Partner.by(new SimpleClientHttpRequestFactory(), Planner.class);
    private final AsyncLoadingCache<Integer, String> gates = Caffeine.newBuilder()
            .maximumSize(2_000)
            .expireAfterWrite(Duration.ofMinutes(1))
            .buildAsync(planner::gate);

    @GetMapping("/")
    CompletableFuture<String> gate() {
        return gates.get(ThreadLocalRandom.current().nextInt(1_000_000)).thenApply(gate -> "gate " + gate.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(GatesApplication.class, arguments);
    }
}
