package ferry;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Berths for arriving ships. The port's system overwrites plans that come at the same time, so they go one after the other. */
public final class BerthPlans {
    private static final int BERTHS = 48;

    private final Sequence sequence = new Sequence();
    private final AtomicInteger arrivals = new AtomicInteger();
    private final boolean eachBerth = Boolean.getBoolean("plans.each-berth");
    private final WebClient port;

    private BerthPlans(Vertx vertx) {
        port = Quay.partnerClient(vertx);
    }

    private Future<JsonObject> plan(RoutingContext context) {
        var harbour = context.pathParam("harbour");
        int berth = arrivals.getAndIncrement() % BERTHS;
        var key = eachBerth ? harbour + "/" + berth : harbour;
        return sequence.after(key, () -> port.put("/plans/" + harbour + "/" + berth)
                        .send()
                        .map(HttpResponse::bodyAsString))
                .map(confirmation -> new JsonObject()
                        .put("harbour", harbour)
                        .put("berth", berth)
                        .put("confirmation", confirmation.length()));
    }

    /** Steps of the same key follow each other; each hangs on the future of the one before. */
    private static final class Sequence {
        private final Map<String, Future<?>> last = new ConcurrentHashMap<>();

        <T> Future<T> after(String key, Supplier<Future<T>> step) {
            Promise<T> mine = Promise.promise();
            Future<?> before = last.put(key, mine.future());
            if (before == null) {
                step.get().onComplete(mine);
            } else {
                before.onComplete(ignored -> step.get().onComplete(mine));
            }
            return mine.future().onComplete(done -> last.remove(key, mine.future()));
        }
    }

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        Quay.open(vertx, "/harbours/:harbour/berth", new BerthPlans(vertx)::plan);
    }
}
