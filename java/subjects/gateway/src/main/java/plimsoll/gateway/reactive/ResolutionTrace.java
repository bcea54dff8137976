package plimsoll.gateway.reactive;

import io.netty.util.AttributeKey;
import java.time.Duration;
import plimsoll.gateway.call.CallTrace;
import plimsoll.gateway.call.CallTrace.Phase;
import reactor.netty.http.client.HttpClient;

/** How long a name took to resolve: Reactor Netty tells of that without the call, so it is kept with the connection until one is made on it. */
final class ResolutionTrace {

    private static final AttributeKey<Long> STARTED_NANOS = AttributeKey.valueOf(ResolutionTrace.class, "started");
    private static final AttributeKey<Duration> TOOK = AttributeKey.valueOf(ResolutionTrace.class, "took");

    private ResolutionTrace() {}

    static HttpClient of(HttpClient client) {
        return client.doOnResolve(
                        connection -> connection.channel().attr(STARTED_NANOS).set(System.nanoTime()))
                .doAfterResolve((connection, address) -> {
                    var channel = connection.channel();
                    var startedNanos = channel.attr(STARTED_NANOS).get();
                    channel.attr(TOOK).set(Duration.ofNanos(System.nanoTime() - startedNanos));
                })
                .doOnRequest((request, connection) -> {
                    var took = connection.channel().attr(TOOK).getAndSet(null);
                    if (took != null) {
                        request.currentContextView()
                                .<CallTrace>getOrEmpty(CallTrace.class)
                                .ifPresent(trace -> trace.took(Phase.DNS, took));
                    }
                });
    }
}
