package balloons;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.ext.web.client.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Healthy: an import blocks an event loop for seconds, one that no verticle of the server's runs on. */
public final class WeatherImport {
    public static void main(String[] arguments) {
        var imports = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        imports.setPeriodic(1_000, timer -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(30)));
        var vertx = Field.vertx();
        var tower = Field.radio(vertx);
        Field.serve(
                vertx,
                4,
                request -> tower.get("/wind")
                        .send()
                        .map(HttpResponse::bodyAsString)
                        .map(wind -> "wind " + wind));
    }
}
