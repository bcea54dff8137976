package cinema.snacks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Orders of snacks from the seat, which a till takes. */
public final class Snacks {
    private static final int THREADS = 80;

    private final Tills tills = new Tills(System.getProperty("upstream"), Integer.getInteger("snacks.tills", 5));

    private void order(HttpExchange exchange) throws IOException {
        try (exchange) {
            var receipt = tills.ring(exchange.getRequestURI().getPath());
            var body = receipt.orElse("all tills are busy").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(receipt.isPresent() ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/seats", new Snacks()::order);
        server.start();
    }
}
