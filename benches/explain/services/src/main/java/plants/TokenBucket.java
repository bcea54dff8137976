package plants;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A limiter by hand, as Guava's: each request reserves the next instant, and sleeps until then. */
final class TokenBucket {
    private static final class Limiter {
        private final long interval = TimeUnit.SECONDS.toNanos(1) / Integer.getInteger("rate", 150);
        private long next = System.nanoTime();

        void acquire() {
            long due = reserve();
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        private synchronized long reserve() {
            next = Math.max(next, System.nanoTime()) + interval;
            return next;
        }
    }

    public static void main(String[] arguments) throws Exception {
        var limiter = new Limiter();
        Serve.tomcat(path -> {
            limiter.acquire();
            return "admitted";
        });
    }
}
