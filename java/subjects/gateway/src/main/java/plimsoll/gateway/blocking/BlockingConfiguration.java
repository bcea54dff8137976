package plimsoll.gateway.blocking;

import javax.net.ssl.SSLContext;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.PoolGauges;
import plimsoll.gateway.policy.AddressPolicy;

/** {@code /call} by a client that blocks its thread, on servlets. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnBlockingClient.class)
class BlockingConfiguration {

    @Bean
    BlockingClient blockingClient(
            GatewayProperties properties, SslBundles bundles, AddressPolicy addresses, PoolGauges gauges) {
        var ssl = sslContext(properties, bundles);
        return switch (properties.client()) {
            case RESTTEMPLATE_SIMPLE ->
                new RestTemplateClient(new UrlConnectionRequestFactory(new UrlConnections(properties.timeouts(), ssl)));
            case RESTTEMPLATE_POOLED ->
                new RestTemplateClient(
                        new HttpComponentsRequestFactory(new HttpComponents(properties, ssl, addresses, gauges)
                                .client()
                                .build()));
            default -> throw new IllegalStateException(properties.client().name());
        };
    }

    @Bean
    BlockingCalls blockingCalls(BlockingClient client, CallMetrics metrics) {
        return new BlockingCalls(client, metrics);
    }

    @Bean
    ServletRegistrationBean<CallServlet> callServlet(
            CallRequests requests, BlockingCalls calls, GatewayProperties properties) {
        var registration = new ServletRegistrationBean<>(new CallServlet(requests, calls, properties), "/call");
        registration.setName("call");
        return registration;
    }

    /** The context of the bundle that is named; null, for the JDK's own, if none is. */
    private static SSLContext sslContext(GatewayProperties properties, SslBundles bundles) {
        var bundle = properties.ssl().bundle();
        return bundle == null ? null : bundles.getBundle(bundle).createSslContext();
    }
}
