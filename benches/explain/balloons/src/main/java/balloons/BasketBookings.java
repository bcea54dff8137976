package balloons;

import io.vertx.ext.web.client.HttpResponse;
import java.util.concurrent.ThreadLocalRandom;

/** Places in baskets: one local lock of Vert.x, which no thread waits for, is held while the agency is asked. */
public final class BasketBookings {
    public static void main(String[] arguments) {
        int baskets = Integer.getInteger("bookings.locks", 1);
        var vertx = Field.vertx();
        var agency = Field.radio(vertx);
        Field.serve(vertx, 4, request -> {
            var lock = "basket-" + ThreadLocalRandom.current().nextInt(baskets);
            return vertx.sharedData()
                    .withLocalLock(lock, () -> agency.get("/places").send().map(HttpResponse::bodyAsString))
                    .map(places -> "booked " + places.length());
        });
    }
}
