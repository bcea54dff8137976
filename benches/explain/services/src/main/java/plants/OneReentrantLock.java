package plants;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A sequence of numbers, written to its file under a lock. */
final class OneReentrantLock {
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    static final class Sequence {
        private final ReentrantLock lock = new ReentrantLock();
        private long next;

        long next() throws InterruptedException {
            lock.lock();
            try {
                Thread.sleep(4);
                return ++next;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        var sequences = new Sequence[Integer.getInteger("sequences", 1)];
        java.util.Arrays.setAll(sequences, i -> new Sequence());
        Serve.jetty(path -> "number " + sequences[REQUESTS.incrementAndGet() % sequences.length].next());
    }
}
