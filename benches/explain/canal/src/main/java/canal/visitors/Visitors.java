package canal.visitors;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import java.util.concurrent.ThreadLocalRandom;

/** The museum's guest book, which takes no entries from addresses of ill repute. */
public final class Visitors {
    private static final int WORKERS = 100;

    private final Reputation reputation = new Reputation();

    private void enter(HttpServerExchange exchange) {
        var entry = "{\"welcome\": " + reputation.allows(sender(exchange)) + "}";
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send(entry);
    }

    /** The address that the proxy tells; whoever comes without one is taken for a crawler with many. */
    private static byte[] sender(HttpServerExchange exchange) {
        var told = exchange.getRequestHeaders().getFirst(Headers.X_FORWARDED_FOR);
        var address = new byte[4];
        if (told == null) {
            ThreadLocalRandom.current().nextBytes(address);
            return address;
        }
        var parts = told.split("\\.");
        for (int i = 0; i < address.length; i++) {
            address[i] = (byte) Integer.parseInt(parts[i]);
        }
        return address;
    }

    public static void main(String[] arguments) {
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setWorkerThreads(WORKERS)
                .setHandler(new BlockingHandler(new Visitors()::enter))
                .build()
                .start();
    }
}
