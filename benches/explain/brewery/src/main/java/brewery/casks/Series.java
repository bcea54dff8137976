package brewery.casks;

import java.util.concurrent.locks.StampedLock;
import java.util.function.LongConsumer;

/** Numbers that follow each other: one counts when it is registered, and not before. */
class Series {
    private final StampedLock lock = new StampedLock();
    private long last;

    long next(LongConsumer register) {
        long stamp = lock.writeLock();
        try {
            register.accept(last + 1);
            return ++last;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    long last() {
        long stamp = lock.tryOptimisticRead();
        long seen = last;
        if (lock.validate(stamp)) {
            return seen;
        }
        stamp = lock.readLock();
        try {
            return last;
        } finally {
            lock.unlockRead(stamp);
        }
    }
}
