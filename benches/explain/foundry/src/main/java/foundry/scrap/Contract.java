package foundry.scrap;

import io.github.bucket4j.Bucket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Keeps to the contract with the dealers' exchange, which counts calls. */
class Contract implements ClientHttpRequestInterceptor {
    private final Bucket calls;

    Contract(int perSecond) {
        calls = Bucket.builder()
                .addLimit(limit -> limit.capacity(10).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .build();
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        try {
            calls.asBlocking().consume(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        return execution.execute(request, body);
    }
}
