package support;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The JDK's server, with threads for more users than come. */
public final class Plain {
    public interface Page {
        String render() throws Exception;
    }

    private Plain() {}

    public static void serve(int threads, Page page) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Backend.PORT), 500);
        server.setExecutor(Executors.newFixedThreadPool(threads));
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = page.render().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                System.err.println("no page: " + e);
            }
        });
        server.start();
    }
}
