package plimsoll.gateway.call;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** The gauges of a client's connection pool: {@code gateway_pool_leased} and so on. A client without a pool has none. */
public final class PoolGauges {

    private final MeterRegistry registry;

    public PoolGauges(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Connections that calls hold. */
    public PoolGauges leased(Supplier<Number> count) {
        return gauge("leased", count);
    }

    /** Connections that wait idle for a call. */
    public PoolGauges available(Supplier<Number> count) {
        return gauge("available", count);
    }

    /** Calls that wait for a connection. */
    public PoolGauges pending(Supplier<Number> count) {
        return gauge("pending", count);
    }

    /** The most connections that there may be. */
    public PoolGauges max(Supplier<Number> count) {
        return gauge("max", count);
    }

    private PoolGauges gauge(String name, Supplier<Number> count) {
        Gauge.builder("gateway.pool." + name, count).register(registry);
        return this;
    }
}
