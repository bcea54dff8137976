package parcels.docks;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Vans drive up to a dock while there is one, and queue in the yard otherwise. */
@Component
class Docks {
    private final Queue<CompletableFuture<Void>> yard = new ArrayDeque<>();
    private int open;

    Docks(@Value("${docks.open:5}") int open) {
        this.open = open;
    }

    <T> CompletableFuture<T> at(Supplier<CompletableFuture<T>> loading) {
        return arrive().thenCompose(arrived -> loading.get()).whenComplete((done, failure) -> leave());
    }

    private synchronized CompletableFuture<Void> arrive() {
        if (open > 0) {
            open--;
            return CompletableFuture.completedFuture(null);
        }
        var turn = new CompletableFuture<Void>();
        yard.add(turn);
        return turn;
    }

    private void leave() {
        CompletableFuture<Void> next;
        synchronized (this) {
            next = yard.poll();
            if (next == null) {
                open++;
            }
        }
        if (next != null) {
            next.complete(null);
        }
    }
}
