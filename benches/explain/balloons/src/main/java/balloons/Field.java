package balloons;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.net.URI;
import java.util.function.Function;

/** The balloon field's server: verticles that answer each request with what a future gives. */
final class Field {
    static final URI TOWER = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    private Field() {}

    static Vertx vertx() {
        return Vertx.vertx(new VertxOptions().setEventLoopPoolSize(4));
    }

    static void serve(Vertx vertx, int verticles, Function<HttpServerRequest, Future<String>> answers) {
        vertx.deployVerticle(() -> new Desk(answers), new DeploymentOptions().setInstances(verticles))
                .onFailure(cause -> {
                    System.err.println("not started: " + cause);
                    vertx.close();
                });
    }

    /** Asks the tower with connections enough for all. */
    static WebClient radio(Vertx vertx) {
        return WebClient.create(
                vertx,
                new WebClientOptions().setDefaultHost(TOWER.getHost()).setDefaultPort(TOWER.getPort()),
                new PoolOptions().setHttp1MaxSize(200));
    }

    private static final class Desk extends VerticleBase {
        private final Function<HttpServerRequest, Future<String>> answers;

        Desk(Function<HttpServerRequest, Future<String>> answers) {
            this.answers = answers;
        }

        @Override
        public Future<?> start() {
            var options = new HttpServerOptions()
                    .setHost("127.0.0.1")
                    .setPort(Integer.getInteger("server.port", 8080))
                    .setAcceptBacklog(1_000);
            return vertx.createHttpServer(options).requestHandler(this::answer).listen();
        }

        private void answer(HttpServerRequest request) {
            answers.apply(request)
                    .onSuccess(request.response()::end)
                    .onFailure(cause -> request.response().setStatusCode(503).end(String.valueOf(cause)));
        }
    }
}
