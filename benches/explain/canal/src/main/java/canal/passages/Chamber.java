package canal.passages;

import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/** Room for so many barges; the others wait in order. Its verticles run on several event loops. */
class Chamber {
    private final Queue<Completable<Void>> waiting = new ArrayDeque<>();
    private int room;

    Chamber(int room) {
        this.room = room;
    }

    <T> Future<T> pass(Supplier<Future<T>> passage) {
        return enter().compose(inside -> passage.get().onComplete(passed -> leave()));
    }

    private synchronized Future<Void> enter() {
        if (room > 0) {
            room--;
            return Future.succeededFuture();
        }
        var turn = Promise.<Void>promise();
        waiting.add(turn);
        return turn.future();
    }

    private void leave() {
        Completable<Void> next;
        synchronized (this) {
            next = waiting.poll();
            room += next == null ? 1 : 0;
        }
        if (next != null) {
            next.succeed();
        }
    }
}
