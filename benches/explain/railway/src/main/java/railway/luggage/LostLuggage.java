package railway.luggage;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.sql.SQLException;

/** Luggage that was found, by what is written on its label. */
public final class LostLuggage {
    private final Finds finds = new Finds(System.getProperty("stub"));

    private void find(Context context) throws SQLException {
        var label = context.pathParam("label");
        context.contentType("application/json").result("{\"station\": \"" + finds.stationOf(label) + "\"}");
    }

    public static void main(String[] arguments) {
        var service = new LostLuggage();
        new Matching(service.finds).begin();
        Javalin.create(config -> config.showJavalinBanner = false)
                .get("/luggage/{label}", service::find)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
