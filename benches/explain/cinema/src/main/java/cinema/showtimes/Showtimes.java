package cinema.showtimes;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;

/** Showtimes of a film; members see the previews, too. */
public final class Showtimes extends VerticleBase {
    private static final int LOOPS = 2;

    private final Members members = new Members(System.getProperty("upstream"));

    @Override
    public Future<?> start() {
        var halls = WebClient.create(vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(200));
        var address = System.getProperty("upstream");
        var router = Router.router(vertx);
        if (Boolean.getBoolean("members.on-workers")) {
            router.route().blockingHandler(members::recognise, false);
        } else {
            router.route().handler(members::recognise);
        }
        router.get("/films/:film/showtimes").respond(context -> {
            var film = context.pathParam("film");
            return halls.getAbs(address + "/showtimes/" + film)
                    .send()
                    .map(answer -> new JsonObject()
                            .put("film", film)
                            .put("previews", context.<Boolean>get("member"))
                            .put("shows", answer.body().length() / 10));
        });
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    public static void main(String[] arguments) {
        Vertx.vertx(new VertxOptions().setWorkerPoolSize(64))
                .deployVerticle(Showtimes::new, new DeploymentOptions().setInstances(LOOPS))
                .onFailure(cause -> {
                    cause.printStackTrace();
                    System.exit(1);
                });
    }
}
