package canal.tides;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;

/** Tides at the sea lock, which the institute computes; it takes its time, whoever asks. */
public final class Tides extends VerticleBase {
    @Override
    public Future<?> start() {
        var institute = WebClient.create(vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(40));
        var address = System.getProperty("upstream");
        var router = Router.router(vertx);
        router.get("/tides/:day").respond(context -> {
            var day = context.pathParam("day");
            return institute
                    .getAbs(address + "/tides/" + day)
                    .send()
                    .map(answer -> new JsonObject()
                            .put("day", day)
                            .put("high", answer.body().length() % 24));
        });
        new Almanac(vertx).print();
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(new Tides()).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }
}
