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
import org.apache.hc.client5.http.classic.HttpClient;
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
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.GatewayProperties.Pool;
import plimsoll.gateway.GatewayProperties.Timeouts;

/** Builds Apache HttpClient 5 with its pool. Its addresses come from the JVM's resolver, which is guarded. */
final class PooledHttpClient {

    private static final Http1Config LIMITED_HEADS = Http1Config.custom()
            .setMaxLineLength(64 * 1024)
            .setMaxHeaderCount(1_000)
            .build();

    /** Header values outside ASCII go out byte by byte as they came in. */
    private static final CharCodingConfig LATIN_1 =
            CharCodingConfig.custom().setCharset(StandardCharsets.ISO_8859_1).build();

    private PooledHttpClient() {}

    static PoolingHttpClientConnectionManager connections(GatewayProperties properties, SSLContext ssl) {
        var pool = properties.pool();
        var connect = timeout(properties.timeouts().connect());
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(pool.maxPerRoute())
                .setMaxConnTotal(pool.maxTotal())
                .setDefaultConnectionConfig(connection(pool, properties.timeouts()))
                .setDefaultTlsConfig(
                        TlsConfig.custom().setHandshakeTimeout(connect).build())
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(ssl, HttpsSupport.getDefaultHostnameVerifier()))
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .charCodingConfig(LATIN_1)
                        .http1Config(LIMITED_HEADS)
                        .responseParserFactory(any -> new StrictHeads(LIMITED_HEADS))
                        .build())
                .build();
    }

    private static ConnectionConfig connection(Pool pool, Timeouts timeouts) {
        var config = ConnectionConfig.custom()
                .setConnectTimeout(timeout(timeouts.connect()))
                .setSocketTimeout(timeout(timeouts.answer()))
                .setValidateAfterInactivity(time(pool.validateAfter()));
        if (pool.maxLifeTime() != null) {
            config.setTimeToLive(time(pool.maxLifeTime()));
        }
        return config.build();
    }

    /** A client that passes everything on as it is: no redirects, cookies, credentials or decompression of its own. */
    static HttpClient of(GatewayProperties properties, PoolingHttpClientConnectionManager connections) {
        var builder = HttpClientBuilder.create()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(request(properties))
                .addExecInterceptorFirst("deadline", (request, scope, chain) -> {
                    CallDeadline.abortedBy(scope.execRuntime::discardEndpoint);
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
        return builder.build();
    }

    private static RequestConfig request(GatewayProperties properties) {
        return RequestConfig.custom()
                .setConnectionRequestTimeout(timeout(properties.timeouts().lease()))
                .setResponseTimeout(timeout(properties.timeouts().answer()))
                // Kept as long as the answer's Keep-Alive says; this long where it says nothing.
                .setConnectionKeepAlive(time(properties.pool().keepAlive()))
                .setProtocolUpgradeEnabled(false)
                .setAuthenticationEnabled(false)
                .build();
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

        @Override
        public boolean retryRequest(HttpRequest request, IOException failure, int count, HttpContext context) {
            return !CallDeadline.isAborted() && super.retryRequest(request, failure, count, context);
        }
    }
}
