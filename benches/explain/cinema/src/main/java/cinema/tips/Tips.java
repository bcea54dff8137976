package cinema.tips;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;

/** Films that a visitor may like, as those do who have a similar taste. */
public final class Tips {
    private final Tastes tastes = new Tastes(Integer.getInteger("tips.visitors", 60_000));

    private void tip(HttpServerExchange exchange) {
        var visitor =
                Integer.parseInt(exchange.getQueryParameters().get("visitor").getFirst());
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send("{\"film\": " + tastes.filmFor(visitor) + "}");
    }

    public static void main(String[] arguments) {
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setHandler(new RoutingHandler().get("/visitors/{visitor}/tip", new BlockingHandler(new Tips()::tip)))
                .build()
                .start();
    }
}
