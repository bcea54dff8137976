package lighthouse;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.client.HttpResponse;

/** Healthy: old reports wait by the thousand at a {@link ShipLock} of their own; that of requests has room for all. */
public final class LampLog {
    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        var reports = new ShipLock(1);
        for (int night = 0; night < 5_000; night++) {
            reports.pass(() -> vertx.timer(400).toCompletionStage());
        }
        var requests = new ShipLock(100);
        var office = Harbour.radio(vertx);
        Harbour.serve(vertx, 4, request -> {
            var log = requests.pass(() ->
                    office.get("/lamps").send().map(HttpResponse::bodyAsString).toCompletionStage());
            return Future.fromCompletionStage(log, vertx.getOrCreateContext()).map(lamps -> "lamps " + lamps.length());
        });
    }
}
