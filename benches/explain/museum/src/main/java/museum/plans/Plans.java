package museum.plans;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Plans of a floor, from the architects; the exchange goes on when they have answered. */
public final class Plans {
    private final URI architects = URI.create(System.getProperty("upstream"));
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private void plan(HttpServerExchange exchange) {
        var floor = exchange.getQueryParameters().get("floor").getFirst();
        exchange.dispatch(
                Runnable::run,
                () -> client.sendAsync(
                                HttpRequest.newBuilder(architects.resolve("/floors/" + floor))
                                        .build(),
                                BodyHandlers.ofString())
                        .whenComplete((plan, fault) -> {
                            if (fault != null) {
                                exchange.setStatusCode(StatusCodes.BAD_GATEWAY).endExchange();
                                return;
                            }
                            exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
                            exchange.getResponseSender().send("floor " + floor + ": " + plan.body());
                        }));
    }

    public static void main(String[] arguments) {
        new Survey("redis://" + System.getProperty("stub")).begin();
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setHandler(new RoutingHandler().get("/floors/{floor}/plan", new Plans()::plan))
                .build()
                .start();
    }
}
