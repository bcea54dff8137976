package canal.tides;

import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.URI;

/** Next year's almanac, page after page, on a worker of its own: hundreds of pages wait for it. */
class Almanac {
    private static final int PAGES = 365;

    private final Vertx vertx;
    private final WorkerExecutor press;
    private final URI institute = URI.create(System.getProperty("upstream"));

    Almanac(Vertx vertx) {
        this.vertx = vertx;
        press = vertx.createSharedWorkerExecutor("almanac", 1);
    }

    void print() {
        for (int i = 1; i <= PAGES; i++) {
            print(i);
        }
    }

    private void print(int page) {
        press.executeBlocking(() -> typeset(page), false).onComplete(done -> vertx.runOnContext(now -> print(page)));
    }

    private int typeset(int page) throws Exception {
        try (var body = institute.resolve("/almanac/" + page).toURL().openStream()) {
            return body.readAllBytes().length;
        }
    }
}
