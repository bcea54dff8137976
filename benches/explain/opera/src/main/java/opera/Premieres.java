package opera;

import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.concurrent.locks.ReentrantLock;

/** Dates of premieres; in the background, old posters are scanned by all the worker threads that there are. */
public final class Premieres extends House {
    private static final ReentrantLock SCANNER = new ReentrantLock();

    @Override
    void routes(Router router) {
        for (int i = 0; i < 500; i++) {
            int poster = i;
            vertx.executeBlocking(() -> scan(poster), false);
        }
        var calendar = partner(50);
        router.get("/premieres/:season")
                .respond(context -> calendar.get("/seasons/" + context.pathParam("season"))
                        .send()
                        .map(answer -> new JsonObject()
                                .put("evenings", answer.bodyAsString().length())));
    }

    private static int scan(int poster) throws InterruptedException {
        SCANNER.lock();
        try {
            Thread.sleep(3_000);
            return poster;
        } finally {
            SCANNER.unlock();
        }
    }

    public static void main(String[] arguments) {
        open(Premieres::new);
    }
}
