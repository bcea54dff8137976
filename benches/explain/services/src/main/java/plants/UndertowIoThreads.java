package plants;

import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;

/** A blocking call on Undertow's I/O threads. */
final class UndertowIoThreads {
    public static void main(String[] arguments) {
        HttpHandler call = exchange -> exchange.getResponseSender().send(Upstream.call());
        Undertow.builder()
                .addHttpListener(Serve.PORT, "127.0.0.1")
                .setIoThreads(4)
                .setWorkerThreads(Serve.ROOM)
                .setHandler(Boolean.getBoolean("dispatch") ? new BlockingHandler(call) : call)
                .build()
                .start();
    }
}
