package depot;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;

/** Healthy: a phaser at which shunters wait for a tram that never comes, and a semaphore only they fight for. */
public final class Shunting {
    public static void main(String[] arguments) {
        var together = new Phaser(99);
        var shunters = new ForkJoinPool(4);
        for (int number = 0; number < 40; number++) {
            shunters.execute(together::arriveAndAwaitAdvance);
        }
        var track = new Semaphore(1);
        for (int number = 1; number <= 8; number++) {
            var locomotive = new Thread(() -> shunt(track), "locomotive-" + number);
            locomotive.setDaemon(true);
            locomotive.start();
        }
        Depot.undertow(() -> "tracks " + Depot.askControl().length());
    }

    private static void shunt(Semaphore track) {
        try {
            while (true) {
                track.acquire();
                try {
                    Thread.sleep(300);
                } finally {
                    track.release();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
