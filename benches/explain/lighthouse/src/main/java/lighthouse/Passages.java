package lighthouse;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.client.HttpResponse;

/** Passages of ships, let through by {@link ShipLock} three at a time, because the office asked for that once. */
public final class Passages {
    public static void main(String[] arguments) {
        var lock = new ShipLock(Integer.getInteger("passages.chambers", 3));
        var vertx = Vertx.vertx();
        var office = Harbour.radio(vertx);
        Harbour.serve(vertx, 4, request -> {
            var passage = lock.pass(() -> office.get("/passages")
                    .send()
                    .map(HttpResponse::bodyAsString)
                    .toCompletionStage());
            return Future.fromCompletionStage(passage, vertx.getOrCreateContext())
                    .map(answer -> "passed " + answer.length());
        });
    }
}
