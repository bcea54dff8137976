package cinema.programme;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;

/** The programme of a week, from the office that plans it. */
public final class Programme extends VerticleBase {
    @Override
    public Future<?> start() {
        var address = System.getProperty("upstream");
        var office = WebClient.create(vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(200));
        var router = Router.router(vertx);
        router.get("/weeks/:week/programme").respond(context -> {
            var week = context.pathParam("week");
            return office.getAbs(address + "/weeks/" + week)
                    .send()
                    .map(answer -> new JsonObject()
                            .put("week", week)
                            .put("films", answer.body().length() / 8));
        });
        new Archive(vertx, address).begin();
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(new Programme()).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }
}
