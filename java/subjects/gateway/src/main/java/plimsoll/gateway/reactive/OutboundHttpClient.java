package plimsoll.gateway.reactive;

import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.springframework.boot.ssl.SslBundle;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.policy.AddressPolicy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Builds Reactor Netty's client with its pool. */
final class OutboundHttpClient {

    /** Reactor Netty's own default: connections to each host and port; there is no limit on them together. */
    private static final int MAX_PER_ROUTE = 500;

    /** Pools of hosts that are no longer called are given up: the hosts may be many. */
    private static final Duration UNUSED_POOL = Duration.ofMinutes(1);

    private OutboundHttpClient() {}

    /** A client that passes everything on as it is: no redirects, cookies or decompression of its own. */
    static HttpClient create(
            GatewayProperties properties, SslBundle bundle, AddressPolicy addresses, NettyPoolGauges gauges)
            throws SSLException {
        var timeouts = properties.timeouts();
        var client = HttpClient.create(pool(properties, gauges))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        timeouts.connect().toMillis())
                .responseTimeout(timeouts.answer())
                .disableRetry(!properties.retryStale())
                .resolver(resolver -> resolver.dnsAddressResolverGroupProvider(
                        builder -> new GuardedAddressResolverGroup(builder, addresses)));
        if (properties.serverTiming()) {
            client = ResolutionTrace.of(client.metrics(true, TraceRecorder::new));
        }
        var ssl = sslContext(bundle);
        return client.secure(spec -> spec.sslContext(ssl).handshakeTimeout(timeouts.connect()));
    }

    private static ConnectionProvider pool(GatewayProperties properties, NettyPoolGauges gauges) {
        var pool = properties.pool();
        var builder = ConnectionProvider.builder("gateway")
                .maxConnections(pool.maxPerRouteOr(MAX_PER_ROUTE))
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(properties.timeouts().lease())
                .disposeInactivePoolsInBackground(UNUSED_POOL, UNUSED_POOL)
                .metrics(true, () -> gauges);
        if (pool.maxIdleTime() != null) {
            builder.maxIdleTime(pool.maxIdleTime()).evictInBackground(pool.maxIdleTime());
        }
        if (pool.maxLifeTime() != null) {
            builder.maxLifeTime(pool.maxLifeTime());
        }
        return builder.build();
    }

    private static SslContext sslContext(SslBundle bundle) throws SSLException {
        var builder = SslContextBuilder.forClient();
        if (bundle != null) {
            builder.keyManager(bundle.getManagers().getKeyManagerFactory())
                    .trustManager(bundle.getManagers().getTrustManagerFactory());
        }
        return builder.build();
    }
}
