package balloons;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.shareddata.LocalMap;
import java.util.concurrent.ThreadLocalRandom;

/** Tracks of the day's flights in a shared map of Vert.x, which leaves the small heap little room: it is collected. */
public final class FlightTracks {
    private static final int FLIGHTS = 5_000;

    public static void main(String[] arguments) {
        var vertx = Field.vertx();
        LocalMap<Integer, JsonArray> tracks = vertx.sharedData().getLocalMap("tracks");
        for (int flight = 0; flight < FLIGHTS; flight++) {
            tracks.put(flight, track(flight));
        }
        Field.serve(vertx, 4, request -> {
            int flight = ThreadLocalRandom.current().nextInt(FLIGHTS);
            tracks.put(flight, track(flight));
            return Future.succeededFuture(tracks.get(flight).encode());
        });
    }

    private static JsonArray track(int flight) {
        var track = new JsonArray();
        for (int minute = 0; minute < 40; minute++) {
            track.add(new JsonObject().put("minute", minute).put("metres", 300 + flight % 900 + minute));
        }
        return track;
    }
}
