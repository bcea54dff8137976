package plimsoll.gateway;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import plimsoll.gateway.policy.AllowedHosts;

/**
 * Settings of the gateway; {@code application.yml} has their defaults.
 *
 * @param client what calls the outside; the profile of the same name is active
 * @param allowedHosts the hosts that may be called: {@code api.example.com}, {@code *.example.com} or {@code *}, each with
 *     {@code :port} if only that port; nobody by default
 * @param allowPrivateAddresses whether hosts may resolve to loopback, private, link-local or other special addresses
 * @param timeouts how long is waited, and for what
 * @param pool the client's connections
 * @param ssl the client's TLS
 * @param retryStale whether the client library may repeat an idempotent request whose kept connection turned out closed
 */
@ConfigurationProperties("gateway")
public record GatewayProperties(
        Client client,
        @DefaultValue List<String> allowedHosts,
        boolean allowPrivateAddresses,
        Timeouts timeouts,
        Pool pool,
        @DefaultValue Ssl ssl,
        boolean retryStale) {

    public GatewayProperties {
        // Here too, so that a wrong pattern is told as a wrong setting.
        new AllowedHosts(allowedHosts);
    }

    /** The client by which the gateway calls others. */
    public enum Client {
        RESTTEMPLATE_SIMPLE,
        RESTTEMPLATE_POOLED,
        WEBCLIENT
    }

    /**
     * How long is waited.
     *
     * @param connect for a connection, its TLS handshake included where the client can
     * @param lease for a connection from the pool
     * @param answer for the next byte of the answer, its first or a later one
     * @param total for a call as a whole, bodies included
     */
    public record Timeouts(Duration connect, Duration lease, Duration answer, Duration total) {

        public Timeouts {
            positive("gateway.timeouts.connect", connect);
            positive("gateway.timeouts.lease", lease);
            positive("gateway.timeouts.answer", answer);
            positive("gateway.timeouts.total", total);
        }
    }

    /**
     * The client's connections. Settings that a client lacks are ignored, and {@code application.yml} tells which.
     *
     * @param maxPerRoute the most connections to one host and port
     * @param maxTotal the most connections together
     * @param maxIdleTime how long a connection may be idle before it is closed
     * @param keepAlive how long a connection is kept if the upstream names no time in {@code Keep-Alive}
     * @param maxLifeTime how long a connection is used at all
     * @param validateAfter idle time after which a connection is checked before it is used again
     */
    public record Pool(
            int maxPerRoute,
            int maxTotal,
            @Nullable Duration maxIdleTime,
            Duration keepAlive,
            @Nullable Duration maxLifeTime,
            Duration validateAfter) {

        public Pool {
            positive("gateway.pool.max-per-route", maxPerRoute);
            positive("gateway.pool.max-total", maxTotal);
            positive("gateway.pool.max-idle-time", maxIdleTime);
            positive("gateway.pool.keep-alive", keepAlive);
            positive("gateway.pool.max-life-time", maxLifeTime);
            positive("gateway.pool.validate-after", validateAfter);
        }
    }

    /**
     * The client's TLS.
     *
     * @param bundle name of a {@code spring.ssl.bundle} with the authorities to trust and, for mutual TLS, the client's key
     */
    public record Ssl(@Nullable String bundle) {}

    private static void positive(String name, @Nullable Duration value) {
        if (value != null && value.toMillis() < 1) {
            throw new IllegalArgumentException(name + " must be at least 1ms, but is " + value);
        }
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
        }
    }
}
