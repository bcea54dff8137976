package plimsoll.jmh;

import java.time.Duration;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** The calls of the published order service. */
final class Calls {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RETRY_AFTER = Duration.ofMillis(100);

    private Calls() {}

    /** One call, with its time-out and its one retry on the scheduler that was under suspicion. */
    static Mono<String> one(WebClient client) {
        return one(client, TIMEOUT);
    }

    static Mono<String> one(WebClient client, Duration timeout) {
        return client.get()
                .uri("/")
                .retrieve()
                .bodyToMono(String.class)
                .timeout(timeout, Schedulers.parallel())
                .retryWhen(Retry.fixedDelay(1, RETRY_AFTER).scheduler(Schedulers.parallel()));
    }

    /** As many calls as named, of which no more than {@code concurrency} are in flight; how many were answered. */
    static Mono<Long> batch(WebClient client, int calls, int concurrency) {
        return Flux.range(0, calls).flatMap(call -> one(client), concurrency).count();
    }
}
