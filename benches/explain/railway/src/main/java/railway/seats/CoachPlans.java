package railway.seats;

import io.javalin.Javalin;
import io.javalin.http.Context;

/** Plans of coaches with the seats that are free, as the operators of the trains have them. */
public final class CoachPlans {
    private final Operators operators = new Operators(System.getProperty("upstream"));

    private void plan(Context context) {
        var train = context.pathParam("train");
        var coach = context.pathParam("coach");
        context.future(() -> operators
                .plan(train, coach)
                .thenAccept(plan -> context.contentType("text/plain").result("coach " + coach + ": " + plan)));
    }

    public static void main(String[] arguments) {
        Javalin.create(config -> config.showJavalinBanner = false)
                .get("/trains/{train}/coaches/{coach}", new CoachPlans()::plan)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
