package plimsoll.caller.webclient;

import io.netty.util.AttributeKey;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import reactor.netty.Connection;
import reactor.netty.http.client.ContextAwareHttpClientMetricsRecorder;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.util.context.ContextView;

/** Times of a new connection as Reactor Netty measures them, told to the {@link CallTimes} of the call that opens it. */
final class ConnectionTimes extends ContextAwareHttpClientMetricsRecorder {

    private static final AttributeKey<Long> RESOLVING_SINCE = AttributeKey.valueOf(ConnectionTimes.class, "since");
    private static final AttributeKey<Duration> RESOLVED_IN = AttributeKey.valueOf(ConnectionTimes.class, "in");

    /** A client whose calls have their times in the Reactor context. */
    static HttpClient of(HttpClient client) {
        return client.metrics(true, ConnectionTimes::new)
                .doOnResolve(
                        connection -> connection.channel().attr(RESOLVING_SINCE).set(System.nanoTime()))
                .doAfterResolve((connection, address) -> {
                    var since = connection.channel().attr(RESOLVING_SINCE).get();
                    connection.channel().attr(RESOLVED_IN).set(Duration.ofNanos(System.nanoTime() - since));
                })
                .doOnRequest(ConnectionTimes::tellResolution);
    }

    /** Resolution is measured before it is known which call the connection is for. */
    private static void tellResolution(HttpClientRequest request, Connection connection) {
        var time = connection.channel().attr(RESOLVED_IN).getAndSet(null);
        if (time != null) {
            times(request.currentContextView()).ifPresent(times -> times.took("dns", time));
        }
    }

    @Override
    public void recordConnectTime(ContextView context, SocketAddress remote, Duration time, String status) {
        times(context).ifPresent(times -> times.took("connect", time));
    }

    @Override
    public void recordTlsHandshakeTime(ContextView context, SocketAddress remote, Duration time, String status) {
        times(context).ifPresent(times -> times.took("tls", time));
    }

    private static Optional<CallTimes> times(ContextView context) {
        return context.getOrEmpty(CallTimes.class);
    }

    // The rest is in Micrometer's timers already.

    @Override
    public void recordResolveAddressTime(SocketAddress remote, Duration time, String status) {}

    @Override
    public void recordDataReceivedTime(
            ContextView context, SocketAddress remote, String uri, String method, String status, Duration time) {}

    @Override
    public void recordDataSentTime(
            ContextView context, SocketAddress remote, String uri, String method, Duration time) {}

    @Override
    public void recordResponseTime(
            ContextView context, SocketAddress remote, String uri, String method, String status, Duration time) {}

    @Override
    public void incrementErrorsCount(ContextView context, SocketAddress remote, String uri) {}

    @Override
    public void incrementErrorsCount(ContextView context, SocketAddress remote) {}

    @Override
    public void recordDataReceived(ContextView context, SocketAddress remote, String uri, long bytes) {}

    @Override
    public void recordDataReceived(ContextView context, SocketAddress remote, long bytes) {}

    @Override
    public void recordDataSent(ContextView context, SocketAddress remote, String uri, long bytes) {}

    @Override
    public void recordDataSent(ContextView context, SocketAddress remote, long bytes) {}
}
