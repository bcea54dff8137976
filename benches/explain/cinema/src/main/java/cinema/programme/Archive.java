package cinema.programme;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.client.WebClient;

/** Brings the programmes of past years into the archive; the one reel can be written by one at a time. */
class Archive {
    private static final int PAGES = 30;

    private final Vertx vertx;
    private final WebClient client;
    private final String address;

    Archive(Vertx vertx, String address) {
        this.vertx = vertx;
        this.address = address;
        client = WebClient.create(vertx);
    }

    void begin() {
        vertx.setPeriodic(
                25,
                timer -> vertx.sharedData()
                        .withLocalLock("reel", () -> written(PAGES))
                        .onFailure(lateOrBroken -> {}));
    }

    private Future<Integer> written(int pages) {
        return client.getAbs(address + "/archive/" + pages)
                .send()
                .compose(page -> pages == 1 ? Future.succeededFuture(PAGES) : written(pages - 1));
    }
}
