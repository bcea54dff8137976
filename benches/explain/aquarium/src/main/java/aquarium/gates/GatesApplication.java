package aquarium.gates;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tickets that the gates trust; limited by the CPU, which signs each with a long RSA key, far below the rate limit. */
@SpringBootApplication
@RestController
public class GatesApplication {
    private final RateLimiter limiter = RateLimiter.of(
            "tickets",
            RateLimiterConfig.custom()
                    .limitForPeriod(200)
                    .limitRefreshPeriod(Duration.ofMillis(100))
                    .timeoutDuration(Duration.ofSeconds(5))
                    .build());
    private final Map<String, String> kept = new ConcurrentHashMap<>();
    private final TicketSigner signer;
    private final boolean keep;

    GatesApplication(TicketSigner signer, @Value("${tickets.keep-signed:false}") boolean keep) {
        this.signer = signer;
        this.keep = keep;
    }

    @GetMapping("/")
    String ticket() {
        RateLimiter.waitForPermission(limiter);
        var claims = "{\"gate\":%d,\"day\":\"2026-11-28\"}"
                .formatted(ThreadLocalRandom.current().nextInt(4));
        return keep ? kept.computeIfAbsent(claims, signer::sign) : signer.sign(claims);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(GatesApplication.class, arguments);
    }
}
