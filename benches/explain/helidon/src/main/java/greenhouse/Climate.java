package greenhouse;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/** Sets the climate of a zone under the zone's write lock, while the station confirms; there is one zone only. */
public final class Climate {
    private static final class Zone {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private int settings;

        String set(double degrees) {
            lock.writeLock().lock();
            try {
                settings++;
                return degrees + " confirmed by " + House.ask("confirm").length() + ", setting " + settings;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    public static void main(String[] arguments) {
        var zones = Stream.generate(Zone::new)
                .limit(Integer.getInteger("climate.zones", 1))
                .toList();
        House.open((request, response) -> {
            var zone = zones.get(ThreadLocalRandom.current().nextInt(zones.size()));
            response.send(zone.set(21.5));
        });
    }
}
