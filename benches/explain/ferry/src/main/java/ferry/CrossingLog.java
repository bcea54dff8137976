package ferry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;
import io.vertx.sqlclient.Pool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The log of crossings, from the partner that keeps it. Logs of past years are moved into the database meanwhile. */
public final class CrossingLog {
    private final Vertx vertx;
    private final WebClient archive;
    private final Pool database;
    private final AtomicLong moved = new AtomicLong();

    private CrossingLog(Vertx vertx) {
        this.vertx = vertx;
        archive = Quay.partnerClient(vertx);
        database = Quay.database(vertx, 2);
    }

    private Future<JsonObject> today(RoutingContext context) {
        return archive.get("/log/" + context.pathParam("ship")).send().map(log -> new JsonObject()
                .put("ship", context.pathParam("ship"))
                .put("entries", log.bodyAsString().length())
                .put("moved", moved.get()));
    }

    /** Pages of old logs: one at a time is taken from the bus, while twenty copies of a year want the two connections. */
    private void moveOldLogs() {
        MessageConsumer<Integer> pages = vertx.eventBus()
                .consumer(new MessageConsumerOptions().setAddress("old.logs").setMaxBufferedMessages(20_000));
        pages.pause();
        pages.handler(page -> vertx.timer(250, TimeUnit.MILLISECONDS)
                .onComplete(written -> {
                    moved.incrementAndGet();
                    pages.fetch(1);
                }));
        pages.fetch(1);
        for (int page = 0; page < 10_000; page++) {
            vertx.eventBus().send("old.logs", page);
        }
        for (int copy = 0; copy < 20; copy++) {
            copyYear();
        }
    }

    private void copyYear() {
        database.query("SELECT copy_year()").execute().onComplete(copied -> copyYear());
    }

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        var log = new CrossingLog(vertx);
        log.moveOldLogs();
        Quay.open(vertx, "/ships/:ship/log", log::today);
    }
}
