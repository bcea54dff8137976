package plimsoll.gateway.blocking;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import plimsoll.gateway.call.CallTrace.Phase;

/** Tells the call how long its TLS handshake took. */
final class TracedTlsStrategy implements TlsSocketStrategy {

    private final TlsSocketStrategy strategy;

    TracedTlsStrategy(TlsSocketStrategy strategy) {
        this.strategy = strategy;
    }

    @Override
    public SSLSocket upgrade(Socket socket, String target, int port, Object attachment, HttpContext context)
            throws IOException {
        var started = System.nanoTime();
        var upgraded = strategy.upgrade(socket, target, port, attachment, context);
        OutboundCall.current().trace().took(Phase.TLS, Duration.ofNanos(System.nanoTime() - started));
        return upgraded;
    }
}
