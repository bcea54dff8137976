package tickets;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.net.URI;
import java.util.function.Consumer;

/** The box office's server: as many verticles as event loops, which serve the same routes. */
final class Box {
    static final URI OFFICE = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    private static final int LOOPS = 4;

    private Box() {}

    static void serve(Vertx vertx, Consumer<Router> routes) {
        vertx.deployVerticle(() -> new Counter(routes), new DeploymentOptions().setInstances(LOOPS))
                .onFailure(cause -> {
                    System.err.println("not started: " + cause);
                    vertx.close();
                });
    }

    static Vertx vertx() {
        return Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS));
    }

    static WebClient client(Vertx vertx, int connections) {
        return WebClient.create(
                vertx,
                new WebClientOptions().setDefaultHost(OFFICE.getHost()).setDefaultPort(OFFICE.getPort()),
                new PoolOptions().setHttp1MaxSize(connections));
    }

    /** Ends the response with what a future gives, or says that it failed. */
    static void answer(RoutingContext context, Future<String> body) {
        body.onSuccess(text -> context.response().end(text))
                .onFailure(cause -> context.response().setStatusCode(503).end(cause.toString()));
    }

    private static final class Counter extends VerticleBase {
        private final Consumer<Router> routes;

        Counter(Consumer<Router> routes) {
            this.routes = routes;
        }

        @Override
        public Future<?> start() {
            var router = Router.router(vertx);
            routes.accept(router);
            var options = new HttpServerOptions()
                    .setPort(Integer.getInteger("server.port", 8080))
                    .setAcceptBacklog(1_000);
            return vertx.createHttpServer(options).requestHandler(router).listen();
        }
    }
}
