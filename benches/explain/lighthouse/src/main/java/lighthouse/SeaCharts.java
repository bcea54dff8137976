package lighthouse;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.zip.CRC32;

/** Whether a sea chart is new: the one verticle's event loop writes all of it as JSON for each ship that asks. */
public final class SeaCharts {
    private static final JsonObject CHART = chart();

    public static void main(String[] arguments) {
        var kept = Boolean.getBoolean("charts.keep-version") ? version() : null;
        Harbour.serve(
                Vertx.vertx(), 1, request -> Future.succeededFuture("version " + (kept == null ? version() : kept)));
    }

    private static String version() {
        var sum = new CRC32();
        sum.update(CHART.toBuffer().getBytes());
        return Long.toHexString(sum.getValue());
    }

    private static JsonObject chart() {
        var soundings = new JsonArray();
        for (int cable = 0; cable < 8_000; cable++) {
            soundings.add(new JsonObject()
                    .put("east", cable % 90 * 0.1)
                    .put("north", cable / 90 * 0.1)
                    .put("metres", cable * 31 % 57));
        }
        return new JsonObject().put("name", "Approaches to the harbour").put("soundings", soundings);
    }
}
