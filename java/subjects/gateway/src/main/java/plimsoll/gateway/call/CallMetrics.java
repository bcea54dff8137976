package plimsoll.gateway.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts and times outbound calls: {@code gateway_calls_seconds} by outcome, and {@code gateway_calls_active}. */
public final class CallMetrics {

    private static final String CALLER_GONE = "caller-gone";

    private final MeterRegistry registry;
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();
    private final AtomicInteger active;

    public CallMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.active = registry.gauge("gateway.calls.active", new AtomicInteger());
    }

    /** A call begins; it ends with the first of what is said of it. */
    public Running begin() {
        active.incrementAndGet();
        return new Running();
    }

    /** A call on its way. */
    public final class Running {

        private final long startedNanos = System.nanoTime();
        private final AtomicBoolean ended = new AtomicBoolean();

        private Running() {}

        /** Its answer was passed on whole, whatever its status. */
        public void answered(int status) {
            end(status / 100 + "xx");
        }

        public void failed(Reason reason) {
            end(reason.word());
        }

        /** Its caller went away. */
        public void abandoned() {
            end(CALLER_GONE);
        }

        private void end(String outcome) {
            if (ended.compareAndSet(false, true)) {
                active.decrementAndGet();
                timers.computeIfAbsent(outcome, CallMetrics.this::timer)
                        .record(System.nanoTime() - startedNanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    private Timer timer(String outcome) {
        return Timer.builder("gateway.calls")
                .description("outbound calls, until the answer was passed on whole")
                .tag("outcome", outcome)
                .register(registry);
    }
}
