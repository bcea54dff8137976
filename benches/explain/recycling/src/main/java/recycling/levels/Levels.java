package recycling.levels;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.sql.SQLException;

/** How full a container is, as was last measured. */
public final class Levels extends Yard {
    private static final Containers CONTAINERS = new Containers();

    private final boolean apart = Boolean.getBoolean("levels.on-workers");

    @Override
    protected void routes(Router router) {
        router.get("/containers/:container/level").respond(context -> level(context.pathParam("container")));
    }

    private Future<JsonObject> level(String container) {
        return apart ? vertx.executeBlocking(() -> measured(container), false) : succeeded(container);
    }

    private static Future<JsonObject> succeeded(String container) {
        try {
            return Future.succeededFuture(measured(container));
        } catch (SQLException e) {
            return Future.failedFuture(e);
        }
    }

    private static JsonObject measured(String container) throws SQLException {
        var reading = CONTAINERS.lastReading(container);
        return new JsonObject().put("container", container).put("percent", reading.hashCode() & 63);
    }

    public static void main(String[] arguments) {
        start(Levels::new);
    }
}
