package railway.tracks;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;

/** In which order trains are to leave a yard. */
public final class TrackPlans {
    private static final int WORKERS = 24;

    private TrackPlans() {}

    private static void plan(HttpServerExchange exchange) {
        var yard = new Yard(exchange.getRequestPath().hashCode());
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send("{\"minutes\": " + yard.leastMinutes() + "}");
    }

    public static void main(String[] arguments) {
        new Axles(System.getProperty("upstream")).begin();
        Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setWorkerThreads(WORKERS)
                .setHandler(new BlockingHandler(TrackPlans::plan))
                .build()
                .start();
    }
}
