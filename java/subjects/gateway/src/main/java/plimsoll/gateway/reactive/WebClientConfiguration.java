package plimsoll.gateway.reactive;

import java.time.Duration;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.web.reactive.function.client.WebClient;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.PoolGauges;
import plimsoll.gateway.policy.AddressPolicy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** WebClient on Reactor Netty. */
@Configuration(proxyBeanMethods = false)
@Profile("webclient")
class WebClientConfiguration {

    /** Pools of hosts that are no longer called are given up: the hosts may be many. */
    private static final Duration UNUSED_POOL = Duration.ofMinutes(1);

    @Bean
    WebClient webClient(GatewayProperties properties, SslBundle ssl, AddressPolicy addresses, PoolGauges gauges) {
        var timeouts = properties.timeouts();
        var pool = pool(properties, gauges);
        var settings = HttpClientSettings.ofSslBundle(ssl)
                .withTimeouts(timeouts.connect(), timeouts.answer())
                .withRedirects(HttpRedirects.DONT_FOLLOW)
                .withInetAddressFilter(addresses);
        var connector = ClientHttpConnectorBuilder.reactor()
                .withoutHttpClientDefaults() // which unpack answers
                .withHttpClientFactory(() -> HttpClient.create(pool))
                .withHttpClientCustomizer(client -> client.disableRetry(!properties.retryStale()))
                .build(settings);
        return WebClient.builder().clientConnector(connector).build();
    }

    private static ConnectionProvider pool(GatewayProperties properties, PoolGauges gauges) {
        var pool = properties.pool();
        var netty = new NettyPoolGauges(gauges);
        var builder = ConnectionProvider.builder("gateway")
                .maxConnections(pool.maxPerRoute())
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(properties.timeouts().lease())
                .disposeInactivePoolsInBackground(UNUSED_POOL, UNUSED_POOL)
                .metrics(true, () -> netty);
        if (pool.maxIdleTime() != null) {
            builder.maxIdleTime(pool.maxIdleTime()).evictInBackground(pool.maxIdleTime());
        }
        if (pool.maxLifeTime() != null) {
            builder.maxLifeTime(pool.maxLifeTime());
        }
        return builder.build();
    }

    @Bean
    NettyServerCustomizer brokenBodies() {
        return server -> server.doOnConnection(BrokenBodies::addTo);
    }
}
