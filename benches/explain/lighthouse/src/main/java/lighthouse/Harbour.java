package lighthouse;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.net.URI;
import java.util.function.Function;
import java.util.function.Supplier;

/** Shared by the lighthouse's services: how verticles are deployed, and the harbour office that they ask. */
final class Harbour {
    static final URI OFFICE = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    private Harbour() {}

    static void deploy(Vertx vertx, DeploymentOptions options, Supplier<? extends Deployable> verticles) {
        vertx.deployVerticle(verticles, options).onFailure(cause -> {
            System.err.println("not started: " + cause);
            vertx.close();
        });
    }

    static void serve(Vertx vertx, int instances, Function<HttpServerRequest, Future<String>> answers) {
        deploy(vertx, new DeploymentOptions().setInstances(instances), () -> new Watch(answers));
    }

    static WebClientOptions office() {
        return new WebClientOptions().setDefaultHost(OFFICE.getHost()).setDefaultPort(OFFICE.getPort());
    }

    static WebClient radio(Vertx vertx) {
        return WebClient.create(vertx, office(), new PoolOptions().setHttp1MaxSize(128));
    }

    private static final class Watch extends VerticleBase {
        private final Function<HttpServerRequest, Future<String>> answers;

        Watch(Function<HttpServerRequest, Future<String>> answers) {
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
                    .onFailure(cause -> request.response().setStatusCode(500).end(String.valueOf(cause)));
        }
    }
}
