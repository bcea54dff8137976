package plimsoll.gateway.blocking;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.PoolGauges;
import plimsoll.gateway.policy.AddressPolicy;

/** Builds Apache HttpClient 5 with its pool, for the two clients that stand on it. */
final class HttpComponents {

    /** As published; HttpClient's own defaults are 5 and 25. */
    private static final int MAX_PER_ROUTE = 20;

    private static final int MAX_TOTAL = 100;
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(3);
    private static final Duration VALIDATE_AFTER = Duration.ofSeconds(2);

    private final GatewayProperties properties;
    private final PoolingHttpClientConnectionManager manager;

    HttpComponents(GatewayProperties properties, SSLContext ssl, AddressPolicy addresses, PoolGauges gauges) {
        this.properties = properties;
        this.manager = manager(properties, ssl, addresses);
        gauges.leased(() -> manager.getTotalStats().getLeased())
                .available(() -> manager.getTotalStats().getAvailable())
                .pending(() -> manager.getTotalStats().getPending())
                .max(() -> manager.getTotalStats().getMax());
    }

    /** A client that passes everything on as it is: no redirects, cookies, credentials or decompression of its own. */
    HttpClientBuilder client() {
        var builder = HttpClientBuilder.create()
                .setConnectionManager(properties.serverTiming() ? new TracedConnectionManager(manager) : manager)
                .setDefaultRequestConfig(requestConfig())
                .addExecInterceptorFirst("cancellation", (request, scope, chain) -> {
                    OutboundCall.current().onCancel(scope.execRuntime::discardEndpoint);
                    return chain.proceed(request, scope);
                })
                .disableRedirectHandling()
                .disableCookieManagement()
                // Else a connection with a client certificate belongs to its user, and as no user is named it is never
                // used again.
                .disableConnectionState()
                .disableAuthCaching()
                .disableContentCompression()
                .disableDefaultUserAgent();
        if (properties.retryStale()) {
            builder.setRetryStrategy(new OneRetry());
        } else {
            builder.disableAutomaticRetries();
        }
        if (properties.pool().maxIdleTime() != null) {
            builder.evictExpiredConnections()
                    .evictIdleConnections(time(properties.pool().maxIdleTime()));
        }
        return builder;
    }

    private RequestConfig requestConfig() {
        var timeouts = properties.timeouts();
        return RequestConfig.custom()
                .setConnectionRequestTimeout(timeout(timeouts.lease()))
                .setResponseTimeout(timeout(timeouts.answer()))
                // Kept as long as the answer's Keep-Alive says; this long where it says nothing.
                .setConnectionKeepAlive(time(properties.pool().keepAliveOr(KEEP_ALIVE)))
                .setProtocolUpgradeEnabled(false)
                .setRedirectsEnabled(false)
                .setAuthenticationEnabled(false)
                .build();
    }

    private static PoolingHttpClientConnectionManager manager(
            GatewayProperties properties, SSLContext ssl, AddressPolicy addresses) {
        var pool = properties.pool();
        var connect = timeout(properties.timeouts().connect());
        var connections = ConnectionConfig.custom()
                .setConnectTimeout(connect)
                .setSocketTimeout(timeout(properties.timeouts().answer()))
                .setValidateAfterInactivity(time(pool.validateAfterOr(VALIDATE_AFTER)));
        if (pool.maxLifeTime() != null) {
            connections.setTimeToLive(time(pool.maxLifeTime()));
        }
        // Header values outside ASCII go out byte by byte as they came in.
        var latin1 = CharCodingConfig.custom()
                .setCharset(StandardCharsets.ISO_8859_1)
                .build();
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(pool.maxPerRouteOr(MAX_PER_ROUTE))
                .setMaxConnTotal(pool.maxTotalOr(MAX_TOTAL))
                .setDefaultConnectionConfig(connections.build())
                .setDefaultTlsConfig(
                        TlsConfig.custom().setHandshakeTimeout(connect).build())
                .setTlsSocketStrategy(tls(ssl))
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .charCodingConfig(latin1)
                        .build())
                .setDnsResolver(new GuardedDnsResolver(addresses))
                .build();
    }

    private static TlsSocketStrategy tls(SSLContext ssl) {
        var strategy = ssl == null
                ? DefaultClientTlsStrategy.createDefault()
                : new DefaultClientTlsStrategy(ssl, HttpsSupport.getDefaultHostnameVerifier());
        return new TracedTlsStrategy(strategy);
    }

    private static Timeout timeout(Duration duration) {
        return Timeout.of(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static TimeValue time(Duration duration) {
        return TimeValue.of(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** One other attempt, at once, for an idempotent request whose connection broke; HttpClient's own waits and repeats 503 too. */
    private static final class OneRetry extends DefaultHttpRequestRetryStrategy {

        OneRetry() {
            super(
                    1,
                    TimeValue.ZERO_MILLISECONDS,
                    List.of(
                            InterruptedIOException.class,
                            UnknownHostException.class,
                            ConnectException.class,
                            NoRouteToHostException.class,
                            SSLException.class),
                    List.of());
        }

        /** What was cancelled has failed for good: the other attempt would have no deadline. */
        @Override
        public boolean retryRequest(HttpRequest request, IOException failure, int count, HttpContext context) {
            return OutboundCall.current().cancelledFor() == null
                    && super.retryRequest(request, failure, count, context);
        }
    }
}
