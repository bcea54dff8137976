package canal.sluices;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.StampedLock;

/** Logs of the motors, fetched all day by crews of which one may write at a time. */
class Maintenance {
    private static final int CREWS = 4;

    private final ForkJoinPool crews = new ForkJoinPool(CREWS);
    private final StampedLock log = new StampedLock();
    private final URI archive = URI.create(System.getProperty("upstream"));

    void begin() {
        for (int i = 0; i < 10 * CREWS; i++) {
            int motor = i;
            crews.execute(() -> fetch(motor));
        }
    }

    private void fetch(int motor) {
        long stamp = log.writeLock();
        try (var body = archive.resolve("/logs/" + motor).toURL().openStream()) {
            body.skip(Long.MAX_VALUE);
        } catch (IOException e) {
            System.err.println("motor " + motor + " is silent: " + e);
        } finally {
            log.unlockWrite(stamp);
        }
        crews.execute(() -> fetch(motor));
    }
}
