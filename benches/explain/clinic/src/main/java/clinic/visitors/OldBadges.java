package clinic.visitors;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Goes through the badges that were never given back, door by door. */
@Component
class OldBadges {
    private static final int DOORS = 7;

    private final RateLimiter limiter = RateLimiter.of(
            "old-badges",
            RateLimiterConfig.custom()
                    .limitForPeriod(4)
                    .limitRefreshPeriod(Duration.ofSeconds(1))
                    .timeoutDuration(Duration.ofMinutes(1))
                    .build());
    private final Reception reception;

    OldBadges(Reception reception) {
        this.reception = reception;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int door = 0; door < DOORS; door++) {
            int first = 1_000 * door;
            var thread = new Thread(() -> check(first), "badges-" + door);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void check(int first) {
        for (int badge = first; !Thread.currentThread().isInterrupted(); badge = badge % 1_000 + first + 1) {
            RateLimiter.waitForPermission(limiter);
            reception.check(badge);
        }
    }
}
