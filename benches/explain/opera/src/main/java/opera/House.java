package opera;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.net.URI;
import java.util.function.Supplier;

/** Opens the doors of each of the opera's services, with a verticle for each processor. */
abstract class House extends VerticleBase {
    static final URI PARTNER = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    static void open(Supplier<Deployable> verticles) {
        var vertx = Vertx.vertx();
        var options = new DeploymentOptions()
                .setInstances(Math.max(2, Runtime.getRuntime().availableProcessors()));
        vertx.deployVerticle(verticles, options).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }

    /** Adds the routes of one service. */
    abstract void routes(Router router);

    HttpServerOptions server() {
        return new HttpServerOptions().setHost("127.0.0.1").setPort(Integer.getInteger("server.port", 8080));
    }

    WebClient partner(int connections) {
        var options = new WebClientOptions()
                .setDefaultHost(PARTNER.getHost())
                .setDefaultPort(PARTNER.getPort())
                .setKeepAliveTimeout(30);
        return WebClient.create(vertx, options, new PoolOptions().setHttp1MaxSize(connections));
    }

    @Override
    public Future<?> start() {
        var router = Router.router(vertx);
        routes(router);
        return vertx.createHttpServer(server()).requestHandler(router).listen();
    }
}
