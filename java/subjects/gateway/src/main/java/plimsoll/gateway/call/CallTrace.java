package plimsoll.gateway.call;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** How long the parts of an outbound call took, as far as its client can tell. Any thread may report. */
public final class CallTrace {

    /** The parts, in the order in which they are told. */
    public enum Phase {
        LEASE,
        DNS,
        CONNECT,
        TLS,
        TTFB
    }

    private static final long UNKNOWN = -1;
    private static final double NANOS_PER_MILLI = 1e6;

    private final long startedNanos = System.nanoTime();
    private final AtomicLongArray tookNanos = new AtomicLongArray(Phase.values().length);

    public CallTrace() {
        for (var phase : Phase.values()) {
            tookNanos.set(phase.ordinal(), UNKNOWN);
        }
    }

    public void took(Phase phase, Duration duration) {
        tookNanos.set(phase.ordinal(), duration.toNanos());
    }

    /** How long the part took; zero if that is not known, or it was not needed. */
    public Duration known(Phase phase) {
        return Duration.ofNanos(Math.max(0, tookNanos.get(phase.ordinal())));
    }

    /** Since the call began. */
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    /** The value of a {@code Server-Timing} header at the time when the answer's head is passed on; durations in ms. */
    public String serverTiming() {
        var text = new StringBuilder();
        for (var phase : Phase.values()) {
            var nanos = tookNanos.get(phase.ordinal());
            if (nanos != UNKNOWN) {
                entry(text, phase.name().toLowerCase(Locale.ROOT), nanos).append(", ");
            }
        }
        return entry(text, "total", elapsed().toNanos()).toString();
    }

    private static StringBuilder entry(StringBuilder text, String name, long nanos) {
        return text.append(name).append(";dur=").append(String.format(Locale.ROOT, "%.3f", nanos / NANOS_PER_MILLI));
    }
}
