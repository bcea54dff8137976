package railway.dining;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;

/** The menu of a train's dining car. */
public final class DiningCars extends VerticleBase {
    @Override
    public Future<?> start() {
        var address = System.getProperty("upstream");
        var kitchen = WebClient.create(vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(100));
        var router = Router.router(vertx);
        router.get("/trains/:train/menu").respond(context -> {
            var train = context.pathParam("train");
            return kitchen.getAbs(address + "/menus/" + train)
                    .send()
                    .map(answer -> new JsonObject()
                            .put("train", train)
                            .put("dishes", answer.body().length() / 11));
        });
        new Receipts(address).begin();
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(new DiningCars()).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }
}
