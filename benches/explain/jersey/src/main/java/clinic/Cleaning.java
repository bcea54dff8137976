package clinic;

import java.io.IOException;
import java.util.concurrent.locks.StampedLock;

/** Healthy: each request reads behind a stamped lock, which the cleaners take for themselves 0.2 s in 20 s. */
public final class Cleaning {
    public static void main(String[] arguments) throws IOException {
        var rooms = new StampedLock();
        var cleaners = new Thread(() -> clean(rooms), "cleaners");
        cleaners.setDaemon(true);
        cleaners.start();
        Clinic.open(60, () -> {
            long stamp = rooms.readLock();
            try {
                return "room " + Clinic.askHospital().length();
            } finally {
                rooms.unlockRead(stamp);
            }
        });
    }

    private static void clean(StampedLock rooms) {
        try {
            while (true) {
                Thread.sleep(20_000);
                long stamp = rooms.writeLock();
                try {
                    Thread.sleep(200);
                } finally {
                    rooms.unlockWrite(stamp);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
