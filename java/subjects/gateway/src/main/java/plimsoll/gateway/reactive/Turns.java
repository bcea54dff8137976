package plimsoll.gateway.reactive;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Lets threads do things one after another without waiting: who comes while another is at it leaves it to that one. */
final class Turns {

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile Consumer<Throwable> whenOneFails = failure -> {};

    /** From now on who is told of what an action throws: it may be done by a thread that has nothing to do with it. */
    void whenOneFails(Consumer<Throwable> told) {
        whenOneFails = told;
    }

    /** Does it at once, or has the thread do it that is at something else. */
    void take(Runnable action) {
        waiting.add(action);
        if (count.getAndIncrement() > 0) {
            return;
        }
        do {
            try {
                waiting.remove().run();
            } catch (Throwable failure) {
                whenOneFails.accept(failure);
            }
        } while (count.decrementAndGet() > 0);
    }
}
