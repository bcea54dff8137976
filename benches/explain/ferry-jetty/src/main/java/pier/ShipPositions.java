package pier;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/** Positions of all ships of the last days, kept in memory; a request gets the track of one, thinned out. */
public final class ShipPositions {
    private static final int SHIPS = 400;

    private final Map<String, Deque<Position>> tracks = new HashMap<>();

    private record Position(Long time, Double latitude, Double longitude, String status) {}

    private ShipPositions(int positions) {
        long now = System.currentTimeMillis();
        for (int ship = 0; ship < SHIPS; ship++) {
            var track = new ArrayDeque<Position>(positions);
            for (int minute = 0; minute < positions; minute++) {
                track.add(received(now - minute * 60_000L));
            }
            tracks.put("ship-" + ship, track);
        }
    }

    private static Position received(long time) {
        var random = ThreadLocalRandom.current();
        return new Position(time, random.nextDouble(50, 60), random.nextDouble(-8, 12), "under way " + time % 7);
    }

    private CompletionStage<?> track(String path) {
        var ship = "ship-" + ThreadLocalRandom.current().nextInt(SHIPS);
        var track = tracks.get(ship);
        List<Position> copy;
        synchronized (track) {
            track.pollFirst();
            track.addLast(received(System.currentTimeMillis()));
            copy = new ArrayList<>(track);
        }
        var legs = new ArrayList<Map<String, Object>>();
        for (int at = 0; at + 1 < copy.size(); at++) {
            var from = copy.get(at);
            var to = copy.get(at + 1);
            legs.add(Map.of(
                    "time", from.time(),
                    "degrees", Math.hypot(to.latitude() - from.latitude(), to.longitude() - from.longitude()),
                    "status", from.status()));
        }
        var thinned = legs.stream().filter(leg -> leg.hashCode() % 40 == 0).toList();
        return CompletableFuture.completedFuture(Map.of("ship", ship, "path", path, "legs", thinned));
    }

    public static void main(String[] arguments) throws Exception {
        Terminal.open(new ShipPositions(Integer.getInteger("track.positions", 1_250))::track);
    }
}
