package plants;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;

/** A rate limiter of Resilience4j: so many calls every tenth of a second. */
final class OneRateLimiter {
    public static void main(String[] arguments) throws Exception {
        var limiter = RateLimiter.of(
                "orders",
                RateLimiterConfig.custom()
                        .limitRefreshPeriod(Duration.ofMillis(100))
                        .limitForPeriod(Integer.getInteger("per-period", 20))
                        .timeoutDuration(Duration.ofSeconds(20))
                        .build());
        Serve.undertow(Serve.ROOM, path -> limiter.executeCallable(Upstream::call));
    }
}
