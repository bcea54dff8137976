package railway.fares;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;

/** Fares for groups: the tariff's, less what the region gives. */
public final class GroupFares extends VerticleBase {
    private final Tariffs tariffs = new Tariffs(System.getProperty("upstream"));

    @Override
    public Future<?> start() {
        var router = Router.router(vertx);
        router.get("/fares/:relation").respond(this::fare);
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    private Future<JsonObject> fare(RoutingContext context) {
        var relation = context.pathParam("relation");
        var fare = CompletableFuture.supplyAsync(() -> tariffs.cents(relation));
        var given = CompletableFuture.supplyAsync(() -> tariffs.centsFromRegion(relation));
        return Future.fromCompletionStage(
                fare.thenCombine(
                        given,
                        (cents, less) ->
                                new JsonObject().put("relation", relation).put("cents", cents - less)),
                vertx.getOrCreateContext());
    }

    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(new GroupFares()).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }
}
