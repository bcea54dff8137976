package cinema.seats;

import io.javalin.Javalin;
import io.javalin.http.Context;

/** Seats for a show, reserved until they are paid. */
public final class Seats {
    private final Reservations reservations =
            new Reservations(System.getProperty("stub"), new Payments(System.getProperty("upstream")));

    private void reserve(Context context) throws Exception {
        var reservation = reservations.reserve(context.pathParam("show"));
        context.contentType("application/json")
                .result("{\"seat\": \"" + reservation.seat() + "\", \"payment\": " + reservation.payment() + "}");
    }

    public static void main(String[] arguments) {
        Javalin.create(config -> {
                    config.showJavalinBanner = false;
                    config.useVirtualThreads = true;
                })
                .get("/shows/{show}/reservation", new Seats()::reserve)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
