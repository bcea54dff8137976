package plimsoll.gateway.blocking;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The time that the call of this thread may take as a whole. The libraries limit each wait for the next byte; an upstream that
 * sends a byte now and then, or reads nothing, would hold a thread for ever.
 */
final class CallDeadline implements AutoCloseable {

    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("call-deadlines").factory());
    private static final long BETWEEN_ABORTIONS_MS = 100;

    /** By thread: RestTemplate passes a request factory the URL and the method alone. */
    private static final ThreadLocal<CallDeadline> CURRENT = new ThreadLocal<>();

    private final Future<?> timeout;
    private final CountDownLatch ended = new CountDownLatch(1);
    private Runnable abortion = () -> {};
    private boolean aborted;
    private boolean expired;

    private CallDeadline(Duration total) {
        timeout = TIMER.schedule(this::expire, total.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The call of this thread begins. */
    static CallDeadline begin(Duration total) {
        var deadline = new CallDeadline(total);
        CURRENT.set(deadline);
        return deadline;
    }

    /** For a client's connection: what breaks it off, and with it the call of this thread. */
    static void abortedBy(Runnable abortion) {
        CURRENT.get().setAbortion(abortion);
    }

    private synchronized void setAbortion(Runnable abortion) {
        this.abortion = abortion;
    }

    /**
     * On a thread of its own, as a client may wait for what the thread of the call holds; and on a platform thread, as calls that never
     * wait hold every carrier of virtual ones.
     */
    private void expire() {
        synchronized (this) {
            expired = true;
        }
        Thread.ofPlatform().daemon().name("call-abortion").start(this::abortUntilItEnds);
    }

    /** Again and again, as clients do not break off what is not connected yet, and go on with it. */
    private void abortUntilItEnds() {
        try {
            for (var over = ended.getCount() == 0;
                    !over;
                    over = ended.await(BETWEEN_ABORTIONS_MS, TimeUnit.MILLISECONDS)) {
                abort();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Breaks the call off. Any thread may, and again. */
    void abort() {
        Runnable action;
        synchronized (this) {
            aborted = true;
            action = abortion;
        }
        action.run();
    }

    /** Whether the call of this thread has been broken off, so that another attempt would be in vain. */
    static boolean isAborted() {
        var deadline = CURRENT.get();
        synchronized (deadline) {
            return deadline.aborted;
        }
    }

    synchronized boolean isExpired() {
        return expired;
    }

    /**
     * Checks that an answer is the upstream's. {@code HttpURLConnection} takes the end of a connection, which this may have made, for the end of
     * the head, or of a body without a length.
     *
     * @throws IOException if the time is up
     */
    void check() throws IOException {
        if (isExpired()) {
            throw new IOException("broken off, as its time is up");
        }
    }

    @Override
    public void close() {
        timeout.cancel(false);
        CURRENT.remove();
        ended.countDown();
    }
}
