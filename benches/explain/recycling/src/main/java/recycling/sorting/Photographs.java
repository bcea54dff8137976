package recycling.sorting;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Photographs of last year's batches, which go to the archive as slowly as it has asked for. */
@Service
class Photographs {
    private static final int PHOTOGRAPHS = 5_000;

    private final Scheduler threads = Schedulers.newBoundedElastic(16, PHOTOGRAPHS, "archive");
    private final RateLimiter limiter = RateLimiter.of(
            "archive",
            RateLimiterConfig.custom()
                    .limitForPeriod(5)
                    .limitRefreshPeriod(Duration.ofSeconds(1))
                    .timeoutDuration(Duration.ofHours(1))
                    .build());
    private final AtomicLong archived = new AtomicLong();

    @EventListener(ApplicationReadyEvent.class)
    void archive() {
        Flux.range(0, PHOTOGRAPHS)
                .flatMap(i -> Mono.fromRunnable(this::one).subscribeOn(threads), PHOTOGRAPHS)
                .subscribe();
    }

    private void one() {
        limiter.acquirePermission();
        archived.incrementAndGet();
    }
}
