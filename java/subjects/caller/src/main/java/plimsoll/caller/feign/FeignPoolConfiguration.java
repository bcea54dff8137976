package plimsoll.caller.feign;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.core5.util.TimeValue;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.openfeign.clientconfig.HttpClient5FeignConfiguration.HttpClientBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import plimsoll.caller.CallerProperties;

/** OpenFeign's pool of HttpClient 5: its metrics, and how long it keeps an idle connection. */
@Configuration(proxyBeanMethods = false)
@Profile("feign-hc5")
class FeignPoolConfiguration {

    @Bean
    @ConditionalOnProperty("caller.pool.max-idle-time")
    HttpClientBuilderCustomizer idleEviction(CallerProperties properties) {
        var idle = TimeValue.of(properties.pool().maxIdleTime().toMillis(), TimeUnit.MILLISECONDS);
        return builder -> builder.evictExpiredConnections().evictIdleConnections(idle);
    }

    @Bean
    MeterBinder poolMetrics(HttpClientConnectionManager manager) {
        var pool = (PoolingHttpClientConnectionManager) manager;
        return registry -> {
            Gauge.builder("caller.pool.leased", () -> pool.getTotalStats().getLeased())
                    .description("connections that calls hold")
                    .register(registry);
            Gauge.builder("caller.pool.pending", () -> pool.getTotalStats().getPending())
                    .description("calls that wait for a connection")
                    .register(registry);
        };
    }
}
