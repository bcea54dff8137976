package cinema.trailers;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import java.io.IOException;

/** Links to trailers, as the studios' portal gives them out. */
public final class Trailers {
    private static final int WORKERS = 80;

    private final Portal portal = new Portal(System.getProperty("upstream"));

    private void link(HttpServerExchange exchange) throws IOException {
        var film = exchange.getQueryParameters().get("film").getFirst();
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
        exchange.getResponseSender().send("trailer of " + film + ": " + portal.link(film));
    }

    public static void main(String[] arguments) {
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setWorkerThreads(WORKERS)
                .setHandler(
                        new RoutingHandler().get("/films/{film}/trailer", new BlockingHandler(new Trailers()::link)))
                .build()
                .start();
    }
}
