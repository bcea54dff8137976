package circus;

import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Tickets for the evening, limited to so many a second: a timer fills up the permits that buyers wait for. */
final class Tickets {
    public static void main(String[] arguments) throws Exception {
        int perSecond = Integer.getInteger("tickets.per-second", 150);
        var permits = new Semaphore(perSecond / 10);
        Executors.newSingleThreadScheduledExecutor()
                .scheduleAtFixedRate(
                        () -> permits.release(perSecond / 10 - permits.availablePermits()),
                        100,
                        100,
                        TimeUnit.MILLISECONDS);
        Circus.jetty(new QueuedThreadPool(200), () -> {
            permits.acquire();
            return "ticket " + Circus.askOffice().length();
        });
    }
}
