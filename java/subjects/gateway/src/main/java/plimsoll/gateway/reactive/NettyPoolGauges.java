package plimsoll.gateway.reactive;

import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import plimsoll.gateway.call.PoolGauges;
import reactor.netty.resources.ConnectionPoolMetrics;
import reactor.netty.resources.ConnectionProvider.MeterRegistrar;

/** Adds up Reactor Netty's pools, of which it has one for each host and port. */
final class NettyPoolGauges implements MeterRegistrar {

    private final Map<String, ConnectionPoolMetrics> pools = new ConcurrentHashMap<>();

    NettyPoolGauges(PoolGauges gauges) {
        gauges.leased(() -> sum(ConnectionPoolMetrics::acquiredSize))
                .available(() -> sum(ConnectionPoolMetrics::idleSize))
                .pending(() -> sum(ConnectionPoolMetrics::pendingAcquireSize))
                .max(() -> sum(ConnectionPoolMetrics::maxAllocatedSize));
    }

    @Override
    public void registerMetrics(String poolName, String id, SocketAddress remote, ConnectionPoolMetrics metrics) {
        pools.put(id + remote, metrics);
    }

    @Override
    public void deRegisterMetrics(String poolName, String id, SocketAddress remote) {
        pools.remove(id + remote);
    }

    private int sum(ToIntFunction<ConnectionPoolMetrics> size) {
        return pools.values().stream().mapToInt(size).sum();
    }
}
