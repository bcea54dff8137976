package plimsoll.gateway.reactive;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.WebClient;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallMetrics.Running;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.CallTrace;
import plimsoll.gateway.call.CallTrace.Phase;
import plimsoll.gateway.call.Failures;
import reactor.core.publisher.Mono;

/** Makes calls by WebClient: each with its time limit, counted, and with a reason if it fails. */
final class ReactiveCalls {

    private final WebClient client;
    private final CallMetrics metrics;

    ReactiveCalls(WebClient client, CallMetrics metrics) {
        this.client = client;
        this.metrics = metrics;
    }

    /**
     * Makes a call and hands its answer over while its connection is held.
     *
     * @return fails with a {@link plimsoll.gateway.call.CallFailure}
     */
    <T> Mono<T> make(
            CallRequest request,
            Publisher<DataBuffer> body,
            Duration total,
            Function<ReactiveAnswer, Mono<T>> consumer) {
        return Mono.defer(() -> {
            var trace = new CallTrace();
            var answered = new AtomicReference<ReactiveAnswer>();
            var running = metrics.begin();
            return send(request, body)
                    .exchangeToMono(response -> {
                        trace.took(Phase.TTFB, trace.elapsed());
                        var answer = new ReactiveAnswer(trace, response);
                        answered.set(answer);
                        return consumer.apply(answer);
                    })
                    .timeout(total)
                    .onErrorMap(Failures::of)
                    .doOnSuccess(done -> running.answered(answered.get().status()))
                    .doOnError(thrown -> running.failed(Failures.of(thrown).reason()))
                    .doOnCancel(() -> cancelled(answered.get(), running))
                    .contextWrite(context -> context.put(CallTrace.class, trace));
        });
    }

    /** A caller who has read all of the answer may close its connection before the gateway is done with the call. */
    private static void cancelled(ReactiveAnswer answer, Running running) {
        if (answer != null && answer.isWhole()) {
            running.answered(answer.status());
        } else {
            running.abandoned();
        }
    }

    private WebClient.RequestHeadersSpec<?> send(CallRequest request, Publisher<DataBuffer> body) {
        var spec = client.method(request.method())
                .uri(request.target())
                .headers(headers -> headers.putAll(request.headers()));
        return request.hasBody() ? spec.body(BodyInserters.fromDataBuffers(body)) : spec;
    }
}
