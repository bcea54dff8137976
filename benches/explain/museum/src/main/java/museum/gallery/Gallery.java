package museum.gallery;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import java.util.concurrent.atomic.AtomicInteger;

/** Pictures for the screens in the lobby, each in the light of the hour. */
public final class Gallery {
    private final Pictures pictures = new Pictures(Integer.getInteger("gallery.pictures", 70));
    private final AtomicInteger shown = new AtomicInteger();

    private void next(HttpServerExchange exchange) {
        var light = Integer.parseInt(exchange.getQueryParameters().get("light").getFirst());
        var picture = pictures.inLight(shown.getAndIncrement(), light);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send("{\"mean\": " + picture.mean() + "}");
    }

    public static void main(String[] arguments) {
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setHandler(new RoutingHandler().get("/screens/{light}", new BlockingHandler(new Gallery()::next)))
                .build()
                .start();
    }
}
