package plimsoll.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.PoolGauges;
import plimsoll.gateway.policy.AddressPolicy;
import plimsoll.gateway.policy.AllowedHosts;
import plimsoll.gateway.policy.ResolverGuard;
import plimsoll.gateway.policy.TargetPolicy;

/** Beans that every client needs. */
@Configuration(proxyBeanMethods = false)
class GatewayConfiguration {

    @Bean
    AddressPolicy addressPolicy(GatewayProperties properties) {
        var policy = new AddressPolicy(properties.allowPrivateAddresses());
        ResolverGuard.arm(policy);
        return policy;
    }

    @Bean
    CallRequests callRequests(GatewayProperties properties, AddressPolicy addressPolicy) {
        return new CallRequests(new TargetPolicy(new AllowedHosts(properties.allowedHosts()), addressPolicy));
    }

    @Bean
    CallMetrics callMetrics(MeterRegistry registry) {
        return new CallMetrics(registry);
    }

    @Bean
    PoolGauges poolGauges(MeterRegistry registry) {
        return new PoolGauges(registry);
    }

    /** The outbound TLS: of the bundle that is named, or the JDK's authorities and no key. */
    @Bean
    SslBundle outboundSsl(GatewayProperties properties, SslBundles bundles) {
        var name = properties.ssl().bundle();
        return name == null ? SslBundle.systemDefault() : bundles.getBundle(name);
    }
}
