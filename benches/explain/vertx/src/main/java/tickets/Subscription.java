package tickets;

import io.vertx.core.Future;
import io.vertx.ext.web.client.WebClient;

/** A subscription of twelve concerts, each looked up after the one before, without a thread that waits. */
public final class Subscription {
    private static final int CONCERTS = 12;

    public static void main(String[] arguments) {
        boolean together = Boolean.getBoolean("subscription.together");
        var vertx = Box.vertx();
        var client = Box.client(vertx, 200);
        Box.serve(
                vertx,
                router -> router.get("/")
                        .handler(context ->
                                Box.answer(context, together ? all(client) : oneByOne(client, CONCERTS, 0))));
    }

    private static Future<String> oneByOne(WebClient client, int left, int seats) {
        if (left == 0) {
            return Future.succeededFuture("seats " + seats);
        }
        return client.get("/concerts/" + left)
                .send()
                .compose(found ->
                        oneByOne(client, left - 1, seats + found.bodyAsString().length()));
    }

    private static Future<String> all(WebClient client) {
        return client.get("/concerts?count=" + CONCERTS)
                .send()
                .map(found -> "seats " + CONCERTS * found.bodyAsString().length());
    }
}
