package recycling.levels;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.util.function.Supplier;

/** Starts verticles with routes, as many as there are processors. */
public abstract class Yard extends VerticleBase {
    protected static void start(Supplier<Deployable> verticles) {
        var options = new DeploymentOptions()
                .setInstances(Math.max(2, Runtime.getRuntime().availableProcessors()));
        Vertx.vertx().deployVerticle(verticles, options).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }

    protected abstract void routes(Router router);

    @Override
    public Future<?> start() {
        var router = Router.router(vertx);
        routes(router);
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }
}
