package plimsoll.gateway;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import plimsoll.gateway.policy.AllowedHosts;

/**
 * Settings of the gateway; {@code application.yml} lists them with their defaults.
 *
 * @param server what serves the internal systems
 * @param client what calls the outside
 * @param allowedHosts the hosts that may be called: {@code api.example.com}, {@code *.example.com} or {@code *}, each with
 *     {@code :port} if only that port; nobody by default
 * @param allowPrivateAddresses whether hosts may resolve to loopback, private, link-local or other special addresses
 * @param timeouts how long is waited, and for what
 * @param pool the client's connections
 * @param ssl the client's TLS
 * @param retryStale whether the client library may repeat an idempotent request whose kept connection turned out closed
 * @param warmUp whether the client is made ready before the first request; only {@code webclient} can
 * @param warmUpUrl what is called once before the gateway serves, so that no caller has to wait for all that a first call makes
 * @param serverTiming whether answers tell in {@code Server-Timing} what the outbound call took
 * @param batch how each call of {@code /batch} is made
 */
@ConfigurationProperties("gateway")
public record GatewayProperties(
        @DefaultValue("tomcat") ServerKind server,
        @DefaultValue("resttemplate-pooled") ClientKind client,
        @DefaultValue List<String> allowedHosts,
        @DefaultValue("false") boolean allowPrivateAddresses,
        @DefaultValue Timeouts timeouts,
        @DefaultValue Pool pool,
        @DefaultValue Ssl ssl,
        @DefaultValue("true") boolean retryStale,
        @DefaultValue("false") boolean warmUp,
        @Nullable String warmUpUrl,
        @DefaultValue("false") boolean serverTiming,
        @DefaultValue Batch batch) {

    public GatewayProperties {
        // Here too, so that a wrong pattern is told as a wrong setting.
        new AllowedHosts(allowedHosts);
        if (server == ServerKind.NETTY && client != ClientKind.WEBCLIENT) {
            throw new IllegalArgumentException(
                    "gateway.server=netty needs gateway.client=webclient: " + client.library()
                            + " blocks its thread, and Netty's event loops must not be blocked; choose webclient, or"
                            + " gateway.server=tomcat");
        }
        if (warmUp && client != ClientKind.WEBCLIENT) {
            throw new IllegalArgumentException(
                    "gateway.warm-up=true needs gateway.client=webclient: " + client.library() + " has no warm-up");
        }
    }

    /**
     * How long is waited.
     *
     * @param connect for a connection, its TLS handshake included where the client can
     * @param lease for a connection from the pool
     * @param answer for the next byte of the answer, its first or a later one
     * @param total for a call as a whole, bodies included
     */
    public record Timeouts(
            @DefaultValue("2s") Duration connect,
            @DefaultValue("5s") Duration lease,
            @DefaultValue("30s") Duration answer,
            @DefaultValue("5m") Duration total) {

        public Timeouts {
            positive("gateway.timeouts.connect", connect);
            positive("gateway.timeouts.lease", lease);
            positive("gateway.timeouts.answer", answer);
            positive("gateway.timeouts.total", total);
        }
    }

    /**
     * The client's connections. What is not set is as the client has it; what a client lacks is ignored, and
     * {@code application.yml} tells which.
     *
     * @param maxPerRoute the most connections to one host and port
     * @param maxTotal the most connections together
     * @param maxIdleTime how long a connection may be idle before it is closed
     * @param keepAlive how long a connection is kept if the upstream names no time in {@code Keep-Alive}
     * @param maxLifeTime how long a connection is used at all
     * @param validateAfter idle time after which a connection is checked before it is used again
     */
    public record Pool(
            @Nullable Integer maxPerRoute,
            @Nullable Integer maxTotal,
            @Nullable Duration maxIdleTime,
            @Nullable Duration keepAlive,
            @Nullable Duration maxLifeTime,
            @Nullable Duration validateAfter) {

        public Pool {
            positive("gateway.pool.max-per-route", maxPerRoute);
            positive("gateway.pool.max-total", maxTotal);
            positive("gateway.pool.max-idle-time", maxIdleTime);
            positive("gateway.pool.keep-alive", keepAlive);
            positive("gateway.pool.max-life-time", maxLifeTime);
            positive("gateway.pool.validate-after", validateAfter);
        }

        public int maxPerRouteOr(int otherwise) {
            return maxPerRoute != null ? maxPerRoute : otherwise;
        }

        public int maxTotalOr(int otherwise) {
            return maxTotal != null ? maxTotal : otherwise;
        }

        public Duration maxIdleTimeOr(Duration otherwise) {
            return maxIdleTime != null ? maxIdleTime : otherwise;
        }

        public Duration keepAliveOr(Duration otherwise) {
            return keepAlive != null ? keepAlive : otherwise;
        }

        public Duration validateAfterOr(Duration otherwise) {
            return validateAfter != null ? validateAfter : otherwise;
        }
    }

    /**
     * The client's TLS.
     *
     * @param bundle name of a {@code spring.ssl.bundle} with the authorities to trust and, for mutual TLS, the client's key
     */
    public record Ssl(@Nullable String bundle) {}

    /**
     * How each call of {@code /batch} is made.
     *
     * @param timeout how long an attempt may take
     * @param retryDelay how long is waited before the one other attempt
     */
    public record Batch(
            @DefaultValue("5s") Duration timeout,
            @DefaultValue("100ms") Duration retryDelay) {

        public Batch {
            positive("gateway.batch.timeout", timeout);
            if (retryDelay.isNegative()) {
                throw new IllegalArgumentException(
                        "gateway.batch.retry-delay must not be negative, but is " + retryDelay);
            }
        }
    }

    private static void positive(String name, @Nullable Duration value) {
        if (value != null && value.toMillis() < 1) {
            throw new IllegalArgumentException(name + " must be at least 1ms, but is " + value);
        }
    }

    private static void positive(String name, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
        }
    }
}
