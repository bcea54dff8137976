package plimsoll.gateway.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts and times outbound calls: {@code gateway_calls_seconds} by outcome, and {@code gateway_calls_active}. */
public final class CallMetrics {

    /** The outcome of a call whose caller went away. */
    public static final String CALLER_GONE = "caller-gone";

    private final MeterRegistry registry;
    private final AtomicInteger active;

    public CallMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.active = registry.gauge("gateway.calls.active", new AtomicInteger());
    }

    /** A call begins. */
    public Call begin() {
        active.incrementAndGet();
        return new Call(Timer.start(registry));
    }

    /** A call under way. It ends once, by what is first: a caller may go away at the instant at which the call fails. */
    public final class Call {

        private final Timer.Sample sample;
        private final AtomicBoolean isEnded = new AtomicBoolean();

        private Call(Timer.Sample sample) {
            this.sample = sample;
        }

        /** The answer was passed on whole, whatever its status. */
        public void answered(int status) {
            end(status / 100 + "xx");
        }

        /** The call ended otherwise; the outcome is a {@linkplain Reason#word() reason} or {@link #CALLER_GONE}. */
        public void end(String outcome) {
            if (isEnded.compareAndSet(false, true)) {
                active.decrementAndGet();
                sample.stop(registry.timer("gateway.calls", "outcome", outcome));
            }
        }
    }
}
