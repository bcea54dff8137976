package canal.passages;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;

/** When a barge may pass a flight of locks, which the traffic centre works out. */
public final class Passages extends VerticleBase {
    private static final int LOOPS = 2;

    private final Chamber chamber;

    private Passages(Chamber chamber) {
        this.chamber = chamber;
    }

    @Override
    public Future<?> start() {
        var centre = WebClient.create(vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(200));
        var address = System.getProperty("upstream");
        var router = Router.router(vertx);
        router.get("/barges/:barge/passage").respond(context -> {
            var barge = context.pathParam("barge");
            return chamber.pass(
                            () -> centre.getAbs(address + "/passages/" + barge).send())
                    .map(answer -> new JsonObject()
                            .put("barge", barge)
                            .put("minutes", answer.body().length()));
        });
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    public static void main(String[] arguments) {
        var chamber = new Chamber(Integer.getInteger("passages.at-once", 5));
        Vertx.vertx()
                .deployVerticle(() -> new Passages(chamber), new DeploymentOptions().setInstances(LOOPS))
                .onFailure(cause -> {
                    cause.printStackTrace();
                    System.exit(1);
                });
    }
}
