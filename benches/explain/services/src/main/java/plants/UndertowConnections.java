package plants;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import org.xnio.Options;

/** Undertow that listens to no more than so many connections. */
final class UndertowConnections {
    public static void main(String[] arguments) {
        int connections = Integer.getInteger("connections", 8);
        Undertow.builder()
                .addHttpListener(Serve.PORT, "127.0.0.1")
                .setWorkerThreads(Serve.ROOM)
                .setSocketOption(Options.CONNECTION_HIGH_WATER, connections)
                .setSocketOption(Options.CONNECTION_LOW_WATER, connections)
                .setHandler(new BlockingHandler(exchange -> exchange.getResponseSender().send(Upstream.call())))
                .build()
                .start();
    }
}
