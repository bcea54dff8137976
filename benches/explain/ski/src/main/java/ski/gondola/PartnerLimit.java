package ski.gondola;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.io.IOException;
import java.time.Duration;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Keeps to what the valley's booking system allows, by waiting. */
class PartnerLimit implements ClientHttpRequestInterceptor {
    private final RateLimiter limiter;

    PartnerLimit(int perSecond) {
        limiter = RateLimiter.of(
                "valley",
                RateLimiterConfig.custom()
                        .limitForPeriod(perSecond / 10)
                        .limitRefreshPeriod(Duration.ofMillis(100))
                        .timeoutDuration(Duration.ofSeconds(10))
                        .build());
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        RateLimiter.waitForPermission(limiter);
        return execution.execute(request, body);
    }
}
