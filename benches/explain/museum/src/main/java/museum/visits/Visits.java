package museum.visits;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;

/** How many visitors are in a hall, as the turnstiles count them. */
public final class Visits {
    private static final int WORKERS = 80;

    private final Turnstiles turnstiles;

    private Visits(Turnstiles turnstiles) {
        this.turnstiles = turnstiles;
    }

    private void count(HttpServerExchange exchange) throws Exception {
        var hall = exchange.getQueryParameters().get("hall").getFirst();
        var inside = turnstiles.inside(hall);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send("{\"hall\": \"" + hall + "\", \"inside\": " + inside + "}");
    }

    public static void main(String[] arguments) {
        var visits = new Visits(
                new Turnstiles("redis://" + System.getProperty("stub"), Integer.getInteger("turnstiles.connections")));
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setWorkerThreads(WORKERS)
                .setHandler(new RoutingHandler().get("/halls/{hall}/visitors", new BlockingHandler(visits::count)))
                .build()
                .start();
    }
}
