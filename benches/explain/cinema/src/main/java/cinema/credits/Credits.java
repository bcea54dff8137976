package cinema.credits;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.concurrent.CompletableFuture;

/** Cast and crew of a film, from the distributors. */
public final class Credits {
    private final Distributor distributor = new Distributor(System.getProperty("upstream"));

    private void credits(Context context) {
        var film = context.pathParam("film");
        context.future(() ->
                CompletableFuture.supplyAsync(() -> distributor.credits(film)).thenAccept(context::result));
    }

    public static void main(String[] arguments) {
        Javalin.create(config -> config.showJavalinBanner = false)
                .get("/films/{film}/credits", new Credits()::credits)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
