package railway.positions;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The last day's journeys, with a point for every few minutes. */
class Journeys {
    private static final int POINTS = 48;
    private static final int COMPARED = 60;

    private final Cache<Integer, List<Point>> journeys = CacheBuilder.newBuilder()
            .maximumSize(1_000_000)
            .expireAfterWrite(1, TimeUnit.DAYS)
            .build();
    private final int trains;

    Journeys(int trains) {
        this.trains = trains;
        for (int train = 0; train < trains; train++) {
            var points = new ArrayList<Point>(POINTS);
            for (int i = 0; i < POINTS; i++) {
                points.add(new Point(train % 90 + i * 0.01, train % 170 + i * 0.02, (train * 7 + i) % 300));
            }
            journeys.put(train, points);
        }
    }

    int expectedDelay(int train) {
        var own = points(train);
        var delays = new ArrayList<Point>();
        for (int other = 1; other <= COMPARED; other++) {
            delays.addAll(shifted(points(train + other * 37), own.get(0)));
        }
        delays.sort(Comparator.comparingInt(Point::secondsLate));
        return delays.get(delays.size() / 2).secondsLate();
    }

    private List<Point> points(int train) {
        var points = journeys.getIfPresent(train % trains);
        return points == null ? List.of(new Point(0, 0, 0)) : points;
    }

    private static List<Point> shifted(List<Point> points, Point by) {
        return points.stream()
                .map(each -> new Point(each.north() - by.north(), each.east() - by.east(), each.secondsLate()))
                .toList();
    }

    record Point(double north, double east, int secondsLate) {}
}
