package plimsoll.gateway.blocking;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.CallTrace;
import plimsoll.gateway.call.CallerGoneException;
import plimsoll.gateway.call.Reason;

/**
 * A blocking call on its way: what a client's hooks need to know of it, and the way to break it off from another thread.
 *
 * <p>The call is known to its thread while it runs, because neither RestTemplate nor Feign hand such a thing through to the library
 * below.
 */
final class OutboundCall implements AutoCloseable {

    private static final ThreadLocal<OutboundCall> CURRENT = new ThreadLocal<>();
    // What breaks a call off has a thread of its own, as to close a TLS socket may block; and one of the system, as
    // virtual threads wait for their turn while others read what an upstream sends without end.
    private static final HashedWheelTimer TIMER = new HashedWheelTimer(
            new DefaultThreadFactory("call-deadlines", true),
            50,
            TimeUnit.MILLISECONDS,
            512,
            false,
            -1,
            Executors.newCachedThreadPool(new DefaultThreadFactory("call-cancellations", true)));
    private static final int BUFFER_BYTES = 16 * 1024;

    private final CallRequest request;
    private InputStream body;
    private final CallTrace trace = new CallTrace();
    private final Timeout deadline;
    private volatile long progressedNanos = System.nanoTime();

    // Guarded by this.
    private Runnable cancellation = () -> {};
    private CallFailure cancelledFor;
    private boolean cancelled;
    private boolean closed;

    private OutboundCall(CallRequest request, InputStream body, Duration total) {
        this.request = request;
        this.body = new CallerStream(body);
        var late = new CallFailure(
                Reason.RESPONSE_TIMEOUT,
                "the call took longer than gateway.timeouts.total (" + total.toMillis() + " ms)");
        this.deadline = TIMER.newTimeout(timeout -> cancel(late), total.toNanos(), TimeUnit.NANOSECONDS);
    }

    static OutboundCall begin(CallRequest request, InputStream body, Duration total) {
        var call = new OutboundCall(request, body, total);
        CURRENT.set(call);
        return call;
    }

    /** The call that this thread makes. */
    static OutboundCall current() {
        return CURRENT.get();
    }

    CallRequest request() {
        return request;
    }

    CallTrace trace() {
        return trace;
    }

    /** What breaks the call off; done at once if it is to be broken off already. Any thread may do it, two at a time, and again. */
    void onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                cancellation = action;
                return;
            }
        }
        action.run();
    }

    /** Breaks the call off, so that whatever waits for it fails and its connection is not used again. */
    void cancel(CallFailure reason) {
        Runnable action;
        synchronized (this) {
            if (cancelled || closed) {
                return;
            }
            cancelled = true;
            cancelledFor = reason;
            action = cancellation;
        }
        action.run();
    }

    /**
     * Breaks the call off by its own thread, also if another one is about to: that one may wait for a lock until this thread is done
     * with what is left of the answer, which may be never.
     */
    void abandon() {
        Runnable action;
        synchronized (this) {
            cancelled = true;
            action = cancellation;
        }
        action.run();
    }

    /** Why the call was broken off; null if it was not, or because its caller went away. */
    synchronized CallFailure cancelledFor() {
        return cancelledFor;
    }

    /** Not every client can be made to fail while there is always a little more to read. */
    private void failIfCancelled() {
        var reason = cancelledFor();
        if (reason != null) {
            throw reason;
        }
    }

    /** Breaks the call off if neither body has moved for so long; for clients that have no such timeout themselves. */
    void limitSilence(Duration limit) {
        var silent = new CallFailure(
                Reason.RESPONSE_TIMEOUT, "no answer within gateway.timeouts.answer (" + limit.toMillis() + " ms)");
        checkSilence(limit.toNanos(), silent);
    }

    private void checkSilence(long limitNanos, CallFailure silent) {
        var leftNanos = limitNanos - (System.nanoTime() - progressedNanos);
        if (leftNanos <= 0) {
            cancel(silent);
        } else if (!isClosed()) {
            TIMER.newTimeout(timeout -> checkSilence(limitNanos, silent), leftNanos, TimeUnit.NANOSECONDS);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** The request's body as the caller sends it; what fails in it is the caller's doing. */
    InputStream body() {
        return body;
    }

    /** Whether the caller ends the body without a byte in it; waits for the first, which breaking the call off does not end. */
    boolean hasEmptyBody() throws IOException {
        var first = body.read();
        failIfCancelled();
        if (first < 0) {
            return true;
        }
        body = new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) first}), body);
        return false;
    }

    /** Sends the request's body on. Where it ends too soon the connection is gone at once: some clients would end the body well. */
    void writeBody(OutputStream upstream) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        try {
            for (int read; (read = body.read(buffer)) >= 0; progressedNanos = System.nanoTime()) {
                upstream.write(buffer, 0, read);
            }
        } catch (CallerGoneException e) {
            abandon();
            throw e;
        }
    }

    /**
     * Passes the answer's body on.
     *
     * @param length in bytes as the answer tells it; with -1 each piece is passed on as it comes, since the body may never end
     * @throws CallFailure if the body is shorter; not every client would tell
     */
    void passOn(InputStream answer, OutputStream caller, long length) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        var passed = 0L;
        for (int read; (read = answer.read(buffer)) >= 0; progressedNanos = System.nanoTime()) {
            failIfCancelled();
            passed += read;
            try {
                caller.write(buffer, 0, read);
                if (length < 0) {
                    caller.flush();
                }
            } catch (IOException e) {
                throw new CallerGoneException(e);
            }
        }
        if (passed < length) {
            throw new CallFailure(Reason.CLOSED, "the answer ended after " + passed + " of " + length + " bytes");
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        deadline.cancel();
        CURRENT.remove();
    }

    private static final class CallerStream extends FilterInputStream {

        CallerStream(InputStream body) {
            super(body);
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException e) {
                throw new CallerGoneException(e);
            }
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            try {
                return super.read(buffer, from, length);
            } catch (IOException e) {
                throw new CallerGoneException(e);
            }
        }
    }
}
