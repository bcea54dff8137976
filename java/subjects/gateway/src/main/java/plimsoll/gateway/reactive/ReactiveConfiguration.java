package plimsoll.gateway.reactive;

import javax.net.ssl.SSLException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.PoolGauges;
import plimsoll.gateway.call.WarmUpCall;
import plimsoll.gateway.policy.AddressPolicy;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** {@code /call} by WebClient, on Netty or Tomcat. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "gateway.client", havingValue = "webclient")
class ReactiveConfiguration {

    @Bean
    HttpClient outboundHttpClient(
            GatewayProperties properties, SslBundles bundles, AddressPolicy addresses, PoolGauges gauges)
            throws SSLException {
        var name = properties.ssl().bundle();
        var bundle = name == null ? null : bundles.getBundle(name);
        var client = OutboundHttpClient.create(properties, bundle, addresses, new NettyPoolGauges(gauges));
        if (properties.warmUp()) {
            client.warmup().block();
        }
        return client;
    }

    @Bean
    ReactiveCalls reactiveCalls(HttpClient client, CallMetrics metrics) {
        var connector = new ReactorClientHttpConnector(client);
        return new ReactiveCalls(WebClient.builder().clientConnector(connector).build(), metrics);
    }

    @Bean
    CallHandler callHandler(CallRequests requests, ReactiveCalls calls, GatewayProperties properties) {
        return new CallHandler(requests, calls, properties);
    }

    @Bean
    @ConditionalOnProperty("gateway.warm-up-url")
    WarmUpCall warmUpCall(CallRequests requests, ReactiveCalls calls, GatewayProperties properties) {
        var total = properties.timeouts().total();
        return new WarmUpCall(
                requests,
                properties.warmUpUrl(),
                request -> calls.make(request, Mono.empty(), total, ReactiveAnswer::dropBody)
                        .block());
    }

    @Bean
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    NettyServerCustomizer brokenBodies() {
        return server -> server.doOnConnection(BrokenBodies::addTo);
    }

    /** A filter and no route: WebFlux would answer some {@code OPTIONS} requests itself. */
    @Bean
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    @Order
    WebFilter callFilter(CallHandler handler) {
        return (exchange, chain) -> exchange.getRequest().getPath().value().equals(CallHandler.PATH)
                ? handler.handle(exchange)
                : chain.filter(exchange);
    }

    /** WebFlux within a servlet: by non-blocking I/O, with no thread held while a call is on its way. */
    @Bean
    @ConditionalOnWebApplication(type = Type.SERVLET)
    ServletRegistrationBean<TurnsServlet> callServlet(CallHandler handler) {
        var servlet = new TurnsServlet(WebHttpHandlerBuilder.webHandler(handler).build());
        var registration = new ServletRegistrationBean<>(servlet, CallHandler.PATH + "/*");
        registration.setName("call");
        return registration;
    }
}
