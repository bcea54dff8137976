package plants;

import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty that accepts no more than so many connections. */
final class JettyConnections {
    public static void main(String[] arguments) throws Exception {
        var server = new Server(new QueuedThreadPool(Serve.ROOM));
        server.addBean(new NetworkConnectionLimit(Integer.getInteger("connections", 8), server));
        Serve.jetty(server, path -> Upstream.call());
    }
}
