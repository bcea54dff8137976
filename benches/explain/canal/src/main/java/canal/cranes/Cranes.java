package canal.cranes;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;

/** Loads of the cranes along the canal: percentiles of a shift, from what their sensors have sent. */
public final class Cranes {
    private static final int WORKERS = 32;

    private final History history = new History();

    private void shift(HttpServerExchange exchange) {
        var crane = exchange.getRelativePath().hashCode();
        var sorted =
                history.shift(crane).stream().map(Reading::kilograms).sorted().toList();
        exchange.getResponseSender()
                .send("median " + sorted.get(sorted.size() / 2) + ", most " + sorted.get(sorted.size() - 1));
    }

    public static void main(String[] arguments) {
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setWorkerThreads(WORKERS)
                .setHandler(new BlockingHandler(new Cranes()::shift))
                .build()
                .start();
    }
}
