package plimsoll.gateway.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
    public Timer.Sample begin() {
        active.incrementAndGet();
        return Timer.start(registry);
    }

    /** The call's answer was passed on whole, whatever its status. */
    public void answered(Timer.Sample call, int status) {
        end(call, status / 100 + "xx");
    }

    /** The call ended otherwise; the outcome is a {@linkplain Reason#word() reason} or {@link #CALLER_GONE}. */
    public void end(Timer.Sample call, String outcome) {
        active.decrementAndGet();
        call.stop(registry.timer("gateway.calls", "outcome", outcome));
    }
}
