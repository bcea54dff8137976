package plants;

import java.nio.channels.SelectableChannel;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty with a short listen queue, and a listener that takes its time for each accepted connection. */
final class JettyAcceptQueue {
    public static void main(String[] arguments) throws Exception {
        var server = new Server(new QueuedThreadPool(Serve.ROOM));
        var connector = new ServerConnector(server, 1, 1);
        connector.setPort(Serve.PORT);
        connector.setAcceptQueueSize(Integer.getInteger("queue", 1));
        connector.addBean(new SelectorManager.AcceptListener() {
            @Override
            public void onAccepting(SelectableChannel channel) {
                LockSupport.parkNanos(700_000);
            }
        });
        server.addConnector(connector);
        Serve.jetty(server, path -> "accepted");
    }
}
