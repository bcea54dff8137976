package plimsoll.gateway.reactive;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets threads do things one after another without waiting: who comes while another is at it leaves it to that one. */
final class Turns {

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /**
     * Does it at once, or has the thread do it that is at something else.
     *
     * @param action must not throw
     */
    void take(Runnable action) {
        waiting.add(action);
        if (count.getAndIncrement() > 0) {
            return;
        }
        do {
            waiting.remove().run();
        } while (count.decrementAndGet() > 0);
    }
}
