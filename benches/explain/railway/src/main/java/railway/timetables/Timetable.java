package railway.timetables;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** All rides of a day between neighbouring stations, by when they leave. */
class Timetable {
    private static final int STATIONS = 2_000;
    private static final int RIDES = 200_000;
    private static final int CHANGE = 4;

    private final Ride[] rides;

    Timetable() {
        var dice = new SplittableRandom(4711);
        rides = IntStream.range(0, RIDES)
                .mapToObj(ride -> {
                    int from = dice.nextInt(STATIONS);
                    int leaves = dice.nextInt(24 * 60);
                    return new Ride(
                            from, (from + 1 + dice.nextInt(9)) % STATIONS, leaves, leaves + 3 + dice.nextInt(12));
                })
                .sorted(Comparator.comparingInt(Ride::leaves))
                .toArray(Ride[]::new);
    }

    int arrival(int from, int to, int earliest) {
        var arrivals = new int[STATIONS];
        Arrays.fill(arrivals, Integer.MAX_VALUE - CHANGE);
        arrivals[from] = earliest - CHANGE;
        for (var ride : rides) {
            if (arrivals[ride.from] + CHANGE <= ride.leaves && ride.arrives < arrivals[ride.to]) {
                arrivals[ride.to] = ride.arrives;
            }
        }
        return arrivals[to];
    }

    private record Ride(int from, int to, int leaves, int arrives) {}
}
