package lighthouse;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Lock of the canal with some chambers: ships beyond those wait in a queue of futures, which no thread waits for. */
final class ShipLock {
    private final Queue<CompletableFuture<Void>> ships = new ArrayDeque<>();
    private int chambers;

    ShipLock(int chambers) {
        this.chambers = chambers;
    }

    <T> CompletableFuture<T> pass(Supplier<? extends CompletionStage<T>> passage) {
        return enter().thenCompose(entered -> passage.get()).whenComplete((passed, failure) -> leave());
    }

    private synchronized CompletableFuture<Void> enter() {
        if (chambers > 0) {
            chambers--;
            return CompletableFuture.completedFuture(null);
        }
        var ship = new CompletableFuture<Void>();
        ships.add(ship);
        return ship;
    }

    private void leave() {
        CompletableFuture<Void> next;
        synchronized (this) {
            next = ships.poll();
            if (next == null) {
                chambers++;
            }
        }
        if (next != null) {
            next.complete(null);
        }
    }
}
