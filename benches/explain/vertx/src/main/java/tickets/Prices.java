package tickets;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;

/** Prices from another service over as many connections as there are customers; that service serves a few at once. */
public final class Prices {
    public static void main(String[] arguments) {
        var vertx = Box.vertx();
        var client = Box.client(vertx, 500);
        Box.serve(
                vertx,
                router -> router.get("/")
                        .handler(context -> Box.answer(
                                context,
                                client.request(HttpMethod.POST, "/prices")
                                        .send()
                                        .map(HttpResponse::bodyAsString))));
    }
}
