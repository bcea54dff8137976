package plimsoll.gateway.blocking;

import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionPool;
import okhttp3.Dns;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.springframework.boot.ssl.SslBundle;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.PoolGauges;
import plimsoll.gateway.policy.AddressPolicy;

/** Builds OkHttp with its pool, which limits idle connections only. */
final class OkHttp {

    /** OkHttp's own default. */
    private static final int MAX_IDLE = 5;

    private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(5);

    private OkHttp() {}

    static OkHttpClient create(
            GatewayProperties properties, SslBundle bundle, AddressPolicy addresses, PoolGauges gauges) {
        var idleTime = properties.pool().maxIdleTimeOr(MAX_IDLE_TIME);
        var pool =
                new ConnectionPool(properties.pool().maxTotalOr(MAX_IDLE), idleTime.toMillis(), TimeUnit.MILLISECONDS);
        gauges.leased(() -> pool.connectionCount() - pool.idleConnectionCount()).available(pool::idleConnectionCount);
        var builder = new OkHttpClient.Builder()
                .connectionPool(pool)
                .dns(host -> addresses.admit(host, Dns.SYSTEM.lookup(host)))
                .protocols(List.of(Protocol.HTTP_1_1))
                .proxy(Proxy.NO_PROXY)
                .connectTimeout(properties.timeouts().connect())
                .readTimeout(properties.timeouts().answer())
                .writeTimeout(properties.timeouts().answer())
                .retryOnConnectionFailure(properties.retryStale())
                .followRedirects(false)
                .followSslRedirects(false)
                .addInterceptor(new OkHttpExactRequest())
                .addNetworkInterceptor(OkHttpExactRequest::withoutAddedEncoding)
                .addNetworkInterceptor(OkHttpExactRequest::withoutNegativeLength);
        if (properties.serverTiming()) {
            builder.eventListenerFactory(
                    call -> new OkHttpTrace(OutboundCall.current().trace()));
        }
        if (bundle != null) {
            var trust = (X509TrustManager) bundle.getManagers().getTrustManagers()[0];
            builder.sslSocketFactory(bundle.createSslContext().getSocketFactory(), trust);
        }
        return builder.build();
    }
}
