package plimsoll.caller;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings that Spring Boot and OpenFeign have no property for; {@code application.yml} lists them with the others.
 *
 * @param client the client that calls the upstream
 * @param upstream the base URL of the service that is called
 * @param pool connections of the client, as far as the libraries' defaults are to be changed
 * @param retryStale whether WebClient may repeat a request whose kept connection broke
 * @param warmUp whether WebClient is made ready before the first request
 * @param warmUpUrl what WebClient calls once before the first request is served
 * @param serverTiming whether WebClient's answers carry {@code Server-Timing}
 * @param batch how each call of {@code /batch} is made
 */
@ConfigurationProperties("caller")
public record CallerProperties(
        Client client,
        URI upstream,
        @DefaultValue Pool pool,
        boolean retryStale,
        boolean warmUp,
        @Nullable URI warmUpUrl,
        boolean serverTiming,
        Batch batch) {

    /** The clients; the profile of the same name is active. */
    public enum Client {
        FEIGN,
        FEIGN_HC5,
        RESTTEMPLATE,
        RESTCLIENT,
        WEBCLIENT
    }

    /**
     * Connections that are kept.
     *
     * @param maxPerRoute the most connections to one host and port
     * @param maxTotal the most connections together
     * @param maxIdleTime how long a connection may be idle before it is closed
     */
    public record Pool(
            @Nullable Integer maxPerRoute,
            @Nullable Integer maxTotal,
            @Nullable Duration maxIdleTime) {}

    /**
     * How each call of a batch is made.
     *
     * @param timeout how long an attempt may take
     * @param retryDelay how long is waited before the one other attempt
     */
    public record Batch(Duration timeout, Duration retryDelay) {}
}
