package ferry;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import java.net.URI;
import java.util.function.Function;

/** The start of each of the ferry’s services: routes for one resource, the partner's API, the company's database. */
final class Quay {
    private Quay() {}

    /** Serves one resource as JSON, by an event loop for each processor. */
    static void open(Vertx vertx, String path, Function<RoutingContext, Future<JsonObject>> resource) {
        var loops = new DeploymentOptions()
                .setInstances(Math.max(2, Runtime.getRuntime().availableProcessors()));
        vertx.deployVerticle(() -> new Pier(path, resource), loops).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }

    static WebClientOptions partner() {
        var partner = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
        return new WebClientOptions()
                .setDefaultHost(partner.getHost())
                .setDefaultPort(partner.getPort())
                .setConnectTimeout(2_000)
                .setIdleTimeout(30);
    }

    static WebClient partnerClient(Vertx vertx) {
        return WebClient.create(vertx, partner(), new PoolOptions().setHttp1MaxSize(200));
    }

    static Pool database(Vertx vertx, int connections) {
        var address = System.getProperty("stub", "127.0.0.1:5432").split(":");
        return PgBuilder.pool()
                .with(new io.vertx.sqlclient.PoolOptions().setMaxSize(connections))
                .connectingTo(new PgConnectOptions()
                        .setHost(address[0])
                        .setPort(Integer.parseInt(address[1]))
                        .setUser("ferry")
                        .setPassword("ferry")
                        .setDatabase("ferry"))
                .using(vertx)
                .build();
    }

    private static final class Pier extends AbstractVerticle {
        private final String path;
        private final Function<RoutingContext, Future<JsonObject>> resource;

        Pier(String path, Function<RoutingContext, Future<JsonObject>> resource) {
            this.path = path;
            this.resource = resource;
        }

        @Override
        public void start(Promise<Void> started) {
            var router = Router.router(vertx);
            router.get(path).handler(context -> resource.apply(context)
                    .onSuccess(context::json)
                    .onFailure(context::fail));
            router.get("/health").handler(context -> context.end("up"));
            vertx.createHttpServer()
                    .requestHandler(router)
                    .listen(Integer.getInteger("server.port", 8080), "127.0.0.1")
                    .<Void>mapEmpty()
                    .onComplete(started);
        }
    }
}
