package hotel;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/** The plan of rooms: a booking writes into the plan of its floor, and tells the agency before others may look. */
@Path("/")
public final class RoomPlan {
    private static final class Floor {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private int booked;

        int book() {
            lock.writeLock().lock();
            try {
                Hotel.ask();
                return ++booked;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    private final Floor[] floors = Stream.generate(Floor::new)
            .limit(Integer.getInteger("plan.floors", 1))
            .toArray(Floor[]::new);

    private RoomPlan() {}

    @GET
    public String book() {
        var floor = floors[ThreadLocalRandom.current().nextInt(floors.length)];
        return "booked " + floor.book();
    }

    public static void main(String[] arguments) {
        Hotel.open(new RoomPlan());
    }
}
