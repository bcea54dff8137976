package plimsoll.gateway.reactive;

import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.batch.BatchClock;
import plimsoll.gateway.batch.BatchReport;
import plimsoll.gateway.batch.BatchReport.Call;
import plimsoll.gateway.batch.BatchRequest;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.Failures;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** {@code /batch} by WebClient: {@code flatMap} with so many in flight, each with a timeout and one retry. */
@RestController
@ConditionalOnProperty(name = "gateway.client", havingValue = "webclient")
class ReactiveBatchController {

    private final CallRequests requests;
    private final ReactiveCalls calls;
    private final GatewayProperties properties;

    ReactiveBatchController(CallRequests requests, ReactiveCalls calls, GatewayProperties properties) {
        this.requests = requests;
        this.calls = calls;
        this.properties = properties;
    }

    @GetMapping("/batch")
    Mono<BatchReport> batch(
            @RequestParam String url,
            @RequestParam(defaultValue = BatchRequest.DEFAULT_CALLS) int calls,
            @RequestParam(defaultValue = BatchRequest.DEFAULT_CONCURRENCY) int concurrency) {
        var batch = BatchRequest.of(requests, url, calls, concurrency);
        return Mono.defer(() -> {
            var clock = new BatchClock();
            return Flux.range(1, calls)
                    .flatMap(number -> one(number, batch, clock), concurrency)
                    .collectSortedList(Comparator.comparingInt(Call::call))
                    .map(clock::report);
        });
    }

    private Mono<Call> one(int number, BatchRequest batch, BatchClock clock) {
        var started = clock.elapsedMs();
        var attempts = new AtomicInteger();
        return Mono.defer(() -> attempt(batch, attempts))
                .retryWhen(Retry.fixedDelay(1, properties.batch().retryDelay()))
                .map(status -> clock.answered(number, started, attempts.get(), status))
                // The reason of the last attempt, which the exhausted retry has as its cause.
                .onErrorResume(thrown -> Mono.just(clock.failed(number, started, attempts.get(), Failures.of(thrown))));
    }

    private Mono<Integer> attempt(BatchRequest batch, AtomicInteger attempts) {
        attempts.incrementAndGet();
        return calls.make(
                batch.request(),
                Mono.empty(),
                properties.batch().timeout(),
                answer -> answer.dropBody().thenReturn(answer.status()));
    }
}
