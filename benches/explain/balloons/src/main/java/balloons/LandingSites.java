package balloons;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Meadows to land on: event loops wait for Log4j, which writes each line to a console that is slow. */
public final class LandingSites {
    private static final Logger LOG = LogManager.getLogger(LandingSites.class);

    public static void main(String[] arguments) {
        Field.serve(Field.vertx(), 4, LandingSites::find);
    }

    private static Future<String> find(HttpServerRequest request) {
        var random = ThreadLocalRandom.current();
        var sites = new ArrayList<String>();
        for (int meadow = 0; meadow < 4; meadow++) {
            int slope = random.nextInt(12);
            LOG.info("meadow {} has a slope of {} degrees, asked for by {}", meadow, slope, request.remoteAddress());
            if (slope < 8) {
                sites.add("meadow " + meadow);
            }
        }
        return Future.succeededFuture(String.join(", ", sites));
    }
}
