package townhall;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** The town hall's server, by the JDK alone, with a thread for each request unless it is told otherwise. */
final class TownHall {
    static final URI OFFICE = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    static final int PORT = Integer.getInteger("server.port", 8080);

    interface Counter {
        String serve() throws Exception;
    }

    private TownHall() {}

    static void open(Counter counter) throws IOException {
        open(Executors.newCachedThreadPool(), counter);
    }

    static void open(Executor threads, Counter counter) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 1_000);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = counter.serve().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                System.err.println("counter closed: " + e);
            }
        });
        server.start();
    }

    static String askOffice() throws IOException {
        try (var body = OFFICE.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
