package plants;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty with few threads, each of which waits for the upstream. */
final class JettyThreads {
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.getInteger("threads", 10);
        Serve.jetty(new Server(new QueuedThreadPool(threads, Math.min(threads, 8))), path -> Upstream.call());
    }
}
