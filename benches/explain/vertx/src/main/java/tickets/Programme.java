package tickets;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A programme that is fetched by a library which waits: on the event loop, or on worker threads. */
public final class Programme {
    public static void main(String[] arguments) {
        boolean onEventLoop = !Boolean.getBoolean("programme.workers");
        var vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(4)
                .setWorkerPoolSize(100)
                .setBlockedThreadCheckIntervalUnit(TimeUnit.MINUTES)
                .setBlockedThreadCheckInterval(10));
        Box.serve(
                vertx,
                router -> router.get("/").handler(context -> {
                    if (onEventLoop) {
                        try {
                            context.response().end(fetch());
                        } catch (IOException e) {
                            context.fail(503, e);
                        }
                    } else {
                        Box.answer(context, vertx.executeBlocking(Programme::fetch, false));
                    }
                }));
    }

    private static String fetch() throws IOException {
        try (var body = Box.OFFICE.resolve("/programme").toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
