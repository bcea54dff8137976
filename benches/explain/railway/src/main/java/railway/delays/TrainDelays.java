package railway.delays;

import io.javalin.Javalin;
import io.javalin.http.Context;

/** How late a train is, by the network that it is on. */
public final class TrainDelays {
    private final Network network = new Network(System.getProperty("upstream"));

    private void delay(Context context) {
        var train = context.pathParam("train");
        context.future(() -> network.minutesLate(train)
                .thenAccept(minutes -> context.contentType("application/json")
                        .result("{\"train\": \"" + train + "\", \"late\": " + minutes + "}")));
    }

    public static void main(String[] arguments) {
        Javalin.create(config -> config.showJavalinBanner = false)
                .get("/trains/{train}/delay", new TrainDelays()::delay)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
