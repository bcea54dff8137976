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
                OutboundCall.current().trace().took(Phase.LEASE, Duration.ofNanos(System.nanoTime() - started));
                return endpoint;
            }

            @Override
            public boolean cancel() {
                return lease.cancel();
            }
        };
    }

    /** Resolves the name, connects and shakes hands; of these the first and the last have told the call themselves. */
    @Override
    public void connect(ConnectionEndpoint endpoint, TimeValue connectTimeout, HttpContext context) throws IOException {
        var started = System.nanoTime();
        manager.connect(endpoint, connectTimeout, context);
        var trace = OutboundCall.current().trace();
        var all = Duration.ofNanos(System.nanoTime() - started);
        trace.took(Phase.CONNECT, all.minus(trace.known(Phase.DNS)).minus(trace.known(Phase.TLS)));
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
}
