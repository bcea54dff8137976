package cinema.gifts;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Gift cards, whose balance the bank knows. */
public final class GiftCards {
    private static final int WORKERS = 16;

    private final URI bank = URI.create(System.getProperty("upstream"));
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private void balance(HttpServerExchange exchange) throws IOException, InterruptedException {
        var card = exchange.getQueryParameters().get("card").getFirst();
        var request = HttpRequest.newBuilder(bank.resolve("/cards/" + card)).build();
        var answer = client.send(request, BodyHandlers.ofString()).body();
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send("{\"card\": \"" + card + "\", \"cents\": " + 25 * answer.length() + "}");
    }

    public static void main(String[] arguments) {
        new Accounts(System.getProperty("upstream")).begin();
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setWorkerThreads(WORKERS)
                .setHandler(new RoutingHandler().get("/cards/{card}", new BlockingHandler(new GiftCards()::balance)))
                .build()
                .start();
    }
}
