package campsite;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Free pitches for tents, by a server without an executor, whose one dispatcher does all the work itself. */
final class TentPitches {
    public static void main(String[] arguments) throws IOException {
        var server = HttpServer.create(Office.here(), 200);
        int threads = Integer.getInteger("pitches.threads", 0);
        if (threads > 0) {
            server.setExecutor(Executors.newFixedThreadPool(threads));
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                var free = ("free pitches: " + Office.ask("/pitches").length()).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, free.length);
                exchange.getResponseBody().write(free);
            }
        });
        server.start();
    }
}
