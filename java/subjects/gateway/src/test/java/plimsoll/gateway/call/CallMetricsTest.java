package plimsoll.gateway.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class CallMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CallMetrics metrics = new CallMetrics(registry);

    @Test
    void aCallEndsOnceByWhatIsFirst() {
        var failed = metrics.begin();
        var answered = metrics.begin();
        assertThat(active()).isEqualTo(2);

        failed.end("reset");
        failed.end(CallMetrics.CALLER_GONE);
        answered.answered(204);

        assertThat(active()).isZero();
        assertThat(calls("reset")).isEqualTo(1);
        assertThat(calls("2xx")).isEqualTo(1);
        assertThat(registry.find("gateway.calls")
                        .tag("outcome", CallMetrics.CALLER_GONE)
                        .timer())
                .isNull();
    }

    private double active() {
        return registry.get("gateway.calls.active").gauge().value();
    }

    private long calls(String outcome) {
        return registry.get("gateway.calls").tag("outcome", outcome).timer().count();
    }
}
