package ski.avalanches;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Healthy: levels of danger; sensors are read in the background, by tasks that wait for a limiter and queue up. */
@SpringBootApplication
@EnableAsync
@EnableScheduling
@RestController
public class AvalanchesApplication {
    private final RestClient service;

    AvalanchesApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        service = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    String danger() {
        return "level "
                + service.get().uri("/danger").retrieve().body(String.class).length() % 5;
    }

    @Component
    static class Sensors {
        private final RateLimiter limiter = RateLimiter.of(
                "sensors",
                RateLimiterConfig.custom()
                        .limitForPeriod(2)
                        .limitRefreshPeriod(Duration.ofMillis(200))
                        .timeoutDuration(Duration.ofMinutes(5))
                        .build());

        @Async
        public void read() {
            limiter.acquirePermission();
        }
    }

    @Component
    record Rounds(Sensors sensors) {
        @Scheduled(fixedRate = 50)
        void go() {
            sensors.read();
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(AvalanchesApplication.class, arguments);
    }
}
