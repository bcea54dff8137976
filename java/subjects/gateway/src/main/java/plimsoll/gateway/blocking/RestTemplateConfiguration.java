package plimsoll.gateway.blocking;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.client.NoOpResponseErrorHandler;
import org.springframework.web.client.RestTemplate;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.PoolGauges;

/** RestTemplate, with or without a pool. */
@Configuration(proxyBeanMethods = false)
@Profile("!webclient")
class RestTemplateConfiguration {

    /** A status of the upstream's is passed on, whatever it is. */
    @Bean
    RestTemplate restTemplate(ClientHttpRequestFactory factory) {
        var restTemplate = new RestTemplate(factory);
        restTemplate.setErrorHandler(new NoOpResponseErrorHandler());
        return restTemplate;
    }

    /** Its pool is the JDK's, which reads these properties once. */
    @Bean
    @Profile("resttemplate-simple")
    ClientHttpRequestFactory simpleRequestFactory(GatewayProperties properties, SslBundle ssl) {
        var pool = properties.pool();
        // Else the JDK reads, in one thread, what is left of answers that were broken off.
        System.setProperty("http.KeepAlive.remainingData", "0");
        System.setProperty("http.maxConnections", String.valueOf(pool.maxPerRoute()));
        System.setProperty(
                "http.keepAlive.time.server", String.valueOf(pool.keepAlive().toSeconds()));
        return new SimpleRequestFactory(
                properties.timeouts(), ssl.createSslContext().getSocketFactory());
    }

    @Bean
    @Profile("resttemplate-pooled")
    ClientHttpRequestFactory pooledRequestFactory(GatewayProperties properties, SslBundle ssl, PoolGauges gauges) {
        var connections = PooledHttpClient.connections(properties, ssl.createSslContext());
        gauges.leased(() -> connections.getTotalStats().getLeased())
                .available(() -> connections.getTotalStats().getAvailable())
                .pending(() -> connections.getTotalStats().getPending())
                .max(() -> connections.getTotalStats().getMax());
        return new HttpComponentsClientHttpRequestFactory(PooledHttpClient.of(properties, connections));
    }
}
