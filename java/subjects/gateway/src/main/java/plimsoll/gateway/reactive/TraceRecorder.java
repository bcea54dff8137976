package plimsoll.gateway.reactive;

import java.net.SocketAddress;
import java.time.Duration;
import plimsoll.gateway.call.CallTrace;
import plimsoll.gateway.call.CallTrace.Phase;
import reactor.netty.http.client.ContextAwareHttpClientMetricsRecorder;
import reactor.util.context.ContextView;

/** Tells the call in the Reactor context what Reactor Netty measured of it. */
final class TraceRecorder extends ContextAwareHttpClientMetricsRecorder {

    @Override
    public void recordConnectTime(ContextView context, SocketAddress remote, Duration time, String status) {
        took(context, Phase.CONNECT, time);
    }

    @Override
    public void recordTlsHandshakeTime(ContextView context, SocketAddress remote, Duration time, String status) {
        took(context, Phase.TLS, time);
    }

    // Told without the call that it was for: see ResolutionTrace.
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

    private static void took(ContextView context, Phase phase, Duration time) {
        context.<CallTrace>getOrEmpty(CallTrace.class).ifPresent(trace -> trace.took(phase, time));
    }
}
