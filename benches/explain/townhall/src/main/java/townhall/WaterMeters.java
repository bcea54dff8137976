package townhall;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Readings of water meters, spaced so that the waterworks get no more than was agreed with them in a second. */
public final class WaterMeters {
    private static final long SPACING = 1_000_000_000L / Integer.getInteger("meters.per-second", 150);
    private static final AtomicLong NEXT = new AtomicLong(System.nanoTime());

    public static void main(String[] arguments) throws IOException {
        TownHall.open(() -> {
            awaitTurn();
            return "litres " + TownHall.askOffice().length();
        });
    }

    private static void awaitTurn() {
        long turn = NEXT.accumulateAndGet(System.nanoTime(), (next, now) -> Math.max(next + SPACING, now));
        for (long left = turn - System.nanoTime(); left > 0; left = turn - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
