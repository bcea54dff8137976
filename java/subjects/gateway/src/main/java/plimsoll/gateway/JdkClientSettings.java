package plimsoll.gateway;

import java.security.Security;

/**
 * What the JDK's two HTTP clients read once from system properties, when their classes are loaded.
 *
 * <p>{@code HttpURLConnection} leaves out headers such as {@code Via}, {@code Origin} and {@code Content-Length} unless told
 * otherwise; a gateway has to pass them on, and strips by itself what must not pass.
 */
final class JdkClientSettings {

    private JdkClientSettings() {}

    static void apply() {
        System.setProperty("sun.net.http.allowRestrictedHeaders", "true");
        // A refused address must be refused for its own reason each time, not as an unknown host out of the cache.
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
    }
}
