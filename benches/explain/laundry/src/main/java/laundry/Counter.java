package laundry;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/** Calls the laundry's central system, which knows all orders, and says where a service listens. */
final class Counter {
    static final int PORT = Integer.getInteger("server.port", 8080);
    private static final URI CENTRAL = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    interface Page {
        String render() throws Exception;
    }

    private Counter() {}

    static InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
    }

    static String ask(String path) {
        try (var answer = CENTRAL.resolve(path).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void serve(Executor threads, Page page) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server = HttpServer.create(address(), 1_000);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = page.render().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        });
        server.start();
    }
}
