package apiary.queens;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.reactor.ratelimiter.operator.RateLimiterOperator;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Queen bees on order from a breeder: a limiter of Resilience4j has the operator delay what is too much for him. */
@SpringBootApplication
@RestController
public class QueensApplication {
    private final WebClient breeder;
    private final RateLimiter limiter;

    QueensApplication(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${queens.in-100-ms:8}") int limit) {
        breeder = clients.baseUrl(address).build();
        limiter = RateLimiter.of(
                "breeder",
                RateLimiterConfig.custom()
                        .limitForPeriod(limit)
                        .limitRefreshPeriod(Duration.ofMillis(100))
                        .timeoutDuration(Duration.ofSeconds(10))
                        .build());
    }

    @GetMapping("/")
    Mono<String> order() {
        return breeder.post()
                .uri("/queens")
                .bodyValue("one queen")
                .retrieve()
                .bodyToMono(String.class)
                .transformDeferred(RateLimiterOperator.of(limiter))
                .map(answer -> "ordered " + answer.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(QueensApplication.class, arguments);
    }
}
