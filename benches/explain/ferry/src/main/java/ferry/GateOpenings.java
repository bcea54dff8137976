package ferry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Gates that open for a ticket: asks the terminal's API, and keeps to what its contract allows. */
public final class GateOpenings {
    private final Vertx vertx;
    private final WebClient terminal;
    private final Contract contract = new Contract(Integer.getInteger("terminal.calls-per-second", 60));

    private GateOpenings(Vertx vertx) {
        this.vertx = vertx;
        terminal = Quay.partnerClient(vertx);
    }

    private Future<JsonObject> open(RoutingContext context) {
        var gate = context.pathParam("gate");
        return whenAllowed()
                .compose(allowed -> terminal.post("/gates/" + gate).send())
                .map(answer -> new JsonObject().put("gate", gate).put("open", answer.statusCode() == 200));
    }

    private Future<Void> whenAllowed() {
        long millis = TimeUnit.NANOSECONDS.toMillis(contract.book() - System.nanoTime());
        return millis <= 0
                ? Future.succeededFuture()
                : vertx.timer(millis, TimeUnit.MILLISECONDS).mapEmpty();
    }

    /** The moments at which a call may go out, dealt to callers in order. */
    private static final class Contract {
        private final long spacing;
        private final AtomicLong next = new AtomicLong(System.nanoTime());

        Contract(int perSecond) {
            spacing = TimeUnit.SECONDS.toNanos(1) / perSecond;
        }

        long book() {
            long now = System.nanoTime();
            return next.getAndUpdate(at -> Math.max(at, now - 10 * spacing) + spacing);
        }
    }

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        Quay.open(vertx, "/gates/:gate", new GateOpenings(vertx)::open);
    }
}
