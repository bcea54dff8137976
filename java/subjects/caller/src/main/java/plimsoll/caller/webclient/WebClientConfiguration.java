package plimsoll.caller.webclient;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.http.client.autoconfigure.reactive.ClientHttpConnectorBuilderCustomizer;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.client.WebClient;
import plimsoll.caller.CallerProperties;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** WebClient on Reactor Netty, as Spring Boot builds it, but for what {@code caller.*} changes. */
@Configuration(proxyBeanMethods = false)
@Profile("webclient")
class WebClientConfiguration {

    /** Reactor Netty's default for HTTP. */
    private static final int MAX_PER_ROUTE = 500;

    @Bean
    WebClient webClient(WebClient.Builder builder, CallerProperties properties) {
        return builder.baseUrl(properties.upstream().toString()).build();
    }

    @Bean
    ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> retry(CallerProperties properties) {
        return connector -> connector.withHttpClientCustomizer(client -> client.disableRetry(!properties.retryStale()));
    }

    /** A pool of our own only where a setting differs from Reactor Netty's. */
    @Bean
    ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> pool(CallerProperties properties) {
        var pool = properties.pool();
        if (pool.maxPerRoute() == null && pool.maxIdleTime() == null) {
            return connector -> connector;
        }
        var builder = ConnectionProvider.builder("caller").maxConnections(MAX_PER_ROUTE);
        var map = PropertyMapper.get();
        map.from(pool::maxPerRoute).to(builder::maxConnections);
        map.from(pool::maxIdleTime).to(builder::maxIdleTime);
        var connections = builder.build();
        return connector -> connector.withHttpClientFactory(() -> HttpClient.create(connections));
    }

    @Bean
    @ConditionalOnBooleanProperty("caller.server-timing")
    ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> serverTiming() {
        return connector -> connector.withHttpClientCustomizer(ConnectionTimes::of);
    }

    /** Last, so that what is warmed up is the client that calls. */
    @Bean
    @Order
    @ConditionalOnBooleanProperty("caller.warm-up")
    ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> warmUp() {
        return connector -> connector.withHttpClientCustomizer(client -> {
            client.warmup().block();
            return client;
        });
    }
}
