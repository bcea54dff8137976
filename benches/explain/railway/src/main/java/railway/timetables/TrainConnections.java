package railway.timetables;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;

/** The earliest arrival, with as many changes as it takes. */
public final class TrainConnections extends VerticleBase {
    private final Timetable timetable = new Timetable();

    @Override
    public Future<?> start() {
        var router = Router.router(vertx);
        router.get("/connections/:from/:to").respond(context -> {
            int from = Integer.parseInt(context.pathParam("from"));
            int to = Integer.parseInt(context.pathParam("to"));
            return vertx.executeBlocking(() -> timetable.arrival(from, to, 8 * 60), false)
                    .map(minute -> new JsonObject().put("to", to).put("arrives", minute / 60 + ":" + minute % 60));
        });
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(new TrainConnections()).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }
}
