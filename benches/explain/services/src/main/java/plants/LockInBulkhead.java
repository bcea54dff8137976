package plants;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.util.concurrent.locks.ReentrantLock;

/** A wide bulkhead around a price that one thread at a time looks up. */
final class LockInBulkhead {
    private static final ReentrantLock[] PRICES = new ReentrantLock[Integer.getInteger("locks", 1)];

    public static void main(String[] arguments) throws Exception {
        for (int item = 0; item < PRICES.length; item++) {
            PRICES[item] = new ReentrantLock();
        }
        var bulkhead = Bulkhead.of(
                "prices", BulkheadConfig.custom().maxConcurrentCalls(200).build());
        Serve.jetty(path -> bulkhead.executeCallable(LockInBulkhead::price));
    }

    private static String price() throws InterruptedException {
        var lock = PRICES[(int) (Thread.currentThread().getId() % PRICES.length)];
        lock.lock();
        try {
            Thread.sleep(6);
            return "7.00";
        } finally {
            lock.unlock();
        }
    }
}
