package railway.positions;

import io.javalin.Javalin;
import io.javalin.http.Context;

/** Where a train is, and when it comes to where it is expected, by how others fared on the line. */
public final class TrainPositions {
    private static final int TRAINS = 24_000;

    private final Journeys journeys = new Journeys(TRAINS);

    private void position(Context context) {
        int train = Integer.parseInt(context.pathParam("train"));
        context.contentType("application/json").result("{\"late\": " + journeys.expectedDelay(train) + "}");
    }

    public static void main(String[] arguments) {
        Javalin.create(config -> config.showJavalinBanner = false)
                .get("/trains/{train}/position", new TrainPositions()::position)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
