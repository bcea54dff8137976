package plimsoll.gateway.blocking;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import plimsoll.gateway.call.CallTrace.Phase;

/** Tells the call how long it waited for a connection of the pool and, if that is a new one, how long it took to connect. */
final class TracedConnectionManager implements HttpClientConnectionManager {

    private final HttpClientConnectionManager manager;

    TracedConnectionManager(HttpClientConnectionManager manager) {
        this.manager = manager;
    }

    @Override
    public LeaseRequest lease(String id, HttpRoute route, Timeout requestTimeout, Object state) {
        var lease = manager.lease(id, route, requestTimeout, state);
        return new LeaseRequest() {

            @Override
            public ConnectionEndpoint get(Timeout timeout)
                    throws InterruptedException, ExecutionException, TimeoutException {
                var started = System.nanoTime();
                var endpoint = lease.get(timeout);
                took(Phase.LEASE, started);
                return endpoint;
            }

            @Override
            public boolean cancel() {
                return lease.cancel();
            }
        };
    }

    /** The whole of it: name resolution, TCP connection and TLS handshake, of which the first and the last are told apart too. */
    @Override
    public void connect(ConnectionEndpoint endpoint, TimeValue connectTimeout, HttpContext context) throws IOException {
        var started = System.nanoTime();
        manager.connect(endpoint, connectTimeout, context);
        took(Phase.CONNECT, started);
    }

    @Override
    public void release(ConnectionEndpoint endpoint, Object newState, TimeValue validDuration) {
        manager.release(endpoint, newState, validDuration);
    }

    @Override
    public void upgrade(ConnectionEndpoint endpoint, HttpContext context) throws IOException {
        manager.upgrade(endpoint, context);
    }

    @Override
    public void close(CloseMode closeMode) {
        manager.close(closeMode);
    }

    @Override
    public void close() throws IOException {
        manager.close();
    }

    private static void took(Phase phase, long startedNanos) {
        OutboundCall.current().trace().took(phase, Duration.ofNanos(System.nanoTime() - startedNanos));
    }
}
