package brewery.bottling;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Enquiries leave at even intervals, as the contract bottler bills peaks. */
@Component
class Conveyor {
    private final long interval;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    Conveyor(@Value("${bottling.interval:11ms}") Duration interval) {
        this.interval = interval.toNanos();
    }

    void ride() {
        long now = System.nanoTime();
        long mine = next.accumulateAndGet(now, (last, at) -> Math.max(last + interval, at));
        for (long left = mine - now; left > 0; left = mine - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
