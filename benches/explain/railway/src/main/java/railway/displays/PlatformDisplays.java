package railway.displays;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.time.LocalTime;

/** Departures that the displays of a platform are to show. */
public final class PlatformDisplays {
    private PlatformDisplays() {}

    private static void departure(HttpServerExchange exchange) {
        var platform = exchange.getQueryParameters().get("platform").getFirst();
        var leaves = LocalTime.of(5 + platform.length() % 18, platform.hashCode() & 31);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
        exchange.getResponseSender().send("{\"platform\": \"" + platform + "\", \"leaves\": \"" + leaves + "\"}");
    }

    private static HttpHandler handlers() {
        HttpHandler routes = Handlers.routing().get("/platforms/{platform}/display", PlatformDisplays::departure);
        return Boolean.parseBoolean(System.getProperty("displays.dump", "true"))
                ? Handlers.requestDump(routes)
                : routes;
    }

    public static void main(String[] arguments) {
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setHandler(handlers())
                .build()
                .start();
    }
}
