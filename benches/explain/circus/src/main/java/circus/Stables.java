package circus;

import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Healthy: grooms in the background wait for the one brush and keep a queue long; no visitor waits for them. */
final class Stables {
    public static void main(String[] arguments) throws Exception {
        var brush = new Semaphore(1);
        var grooms = Executors.newFixedThreadPool(30, work -> {
            var groom = new Thread(work, "groom");
            groom.setDaemon(true);
            return groom;
        });
        for (int horse = 0; horse < 100_000; horse++) {
            grooms.execute(() -> {
                brush.acquireUninterruptibly();
                try {
                    Thread.sleep(20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    brush.release();
                }
            });
        }
        Circus.tomcat(null, () -> "stable open, " + Circus.askOffice().length());
    }
}
