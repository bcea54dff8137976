package plants;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;

/** A bulkhead of Resilience4j around the call of the upstream. */
final class OneBulkhead {
    public static void main(String[] arguments) throws Exception {
        var bulkhead = Bulkhead.of(
                "orders",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(Integer.getInteger("calls", 4))
                        .maxWaitDuration(Duration.ofSeconds(20))
                        .build());
        Serve.jetty(path -> bulkhead.executeCallable(Upstream::call));
    }
}
