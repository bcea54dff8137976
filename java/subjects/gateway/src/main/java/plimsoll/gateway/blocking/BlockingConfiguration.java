package plimsoll.gateway.blocking;

import feign.hc5.ApacheHttp5Client;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.PoolGauges;
import plimsoll.gateway.call.WarmUpCall;
import plimsoll.gateway.policy.AddressPolicy;

/** {@code /call} by a client that blocks its thread, on servlets. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnBlockingClient.class)
class BlockingConfiguration {

    @Bean
    BlockingClient blockingClient(
            GatewayProperties properties, SslBundles bundles, AddressPolicy addresses, PoolGauges gauges) {
        var timeouts = properties.timeouts();
        var bundle = bundle(properties, bundles);
        return switch (properties.client()) {
            case RESTTEMPLATE_SIMPLE ->
                new UrlConnectionClient(new RestTemplateClient(
                        new UrlConnectionRequestFactory(urlConnections(properties, bundle)),
                        (request, headers) -> UrlConnections.addHeaders(request, headers::add)));
            case RESTTEMPLATE_POOLED ->
                new RestTemplateClient(new HttpComponentsRequestFactory(
                        httpComponents(properties, bundle, addresses, gauges).build()));
            case RESTCLIENT_JDK -> new RestClientClient(jdk(properties, bundle), timeouts.answer());
            case FEIGN_DEFAULT ->
                new UrlConnectionClient(
                        new FeignClient(new UrlConnectionFeignClient(urlConnections(properties, bundle)), timeouts));
            case FEIGN_HC5 ->
                new FeignClient(
                        new ApacheHttp5Client(httpComponents(properties, bundle, addresses, gauges)
                                .addExecInterceptorFirst("exact request", new ExactRequest())
                                .build()),
                        timeouts);
            case FEIGN_OKHTTP ->
                new FeignClient(
                        new feign.okhttp.OkHttpClient(OkHttp.create(properties, bundle, addresses, gauges)), timeouts);
            case WEBCLIENT -> throw new IllegalStateException("webclient does not block");
        };
    }

    @Bean
    BlockingCalls blockingCalls(BlockingClient client, CallMetrics metrics) {
        return new BlockingCalls(client, metrics);
    }

    @Bean
    @ConditionalOnProperty("gateway.warm-up-url")
    WarmUpCall warmUpCall(CallRequests requests, BlockingCalls calls, GatewayProperties properties) {
        var total = properties.timeouts().total();
        return new WarmUpCall(
                requests,
                properties.warmUpUrl(),
                request -> calls.make(
                        request,
                        InputStream.nullInputStream(),
                        total,
                        call -> (status, headers, body) -> body.transferTo(OutputStream.nullOutputStream())));
    }

    @Bean
    ServletRegistrationBean<CallServlet> callServlet(
            CallRequests requests, BlockingCalls calls, GatewayProperties properties) {
        var registration = new ServletRegistrationBean<>(new CallServlet(requests, calls, properties), "/call");
        registration.setName("call");
        return registration;
    }

    private static HttpClientBuilder httpComponents(
            GatewayProperties properties, SslBundle bundle, AddressPolicy addresses, PoolGauges gauges) {
        return new HttpComponents(properties, context(bundle), addresses, gauges).client();
    }

    private static UrlConnections urlConnections(GatewayProperties properties, SslBundle bundle) {
        var pool = properties.pool();
        setProperty("http.maxConnections", pool.maxPerRoute());
        setProperty(
                "http.keepAlive.time.server",
                pool.keepAlive() == null ? null : pool.keepAlive().toSeconds());
        return new UrlConnections(properties.timeouts(), context(bundle));
    }

    /** HTTP/1.1 like the others; left alone it would try HTTP/2. */
    private static HttpClient.Builder jdk(GatewayProperties properties, SslBundle bundle) {
        var pool = properties.pool();
        setProperty("jdk.httpclient.connectionPoolSize", pool.maxTotal());
        setProperty(
                "jdk.httpclient.keepalive.timeout",
                pool.maxIdleTime() == null ? null : pool.maxIdleTime().toSeconds());
        var builder = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .followRedirects(Redirect.NEVER)
                .connectTimeout(properties.timeouts().connect());
        if (bundle != null) {
            builder.sslContext(bundle.createSslContext());
        }
        return builder;
    }

    /** The JDK's clients read these when they are first used. */
    private static void setProperty(String name, Number value) {
        if (value != null) {
            System.setProperty(name, value.toString());
        }
    }

    /** The bundle that is named; null, for the JDK's authorities and no key, if none is. */
    private static SslBundle bundle(GatewayProperties properties, SslBundles bundles) {
        var name = properties.ssl().bundle();
        return name == null ? null : bundles.getBundle(name);
    }

    private static SSLContext context(SslBundle bundle) {
        return bundle == null ? null : bundle.createSslContext();
    }
}
