package museum.tours;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Guided tours, with the words that a guide says to each work, in the visitor's language. */
public final class Tours {
    private final Guides guides = new Guides(System.getProperty("upstream"), new Dictionary());

    private void tour(HttpExchange exchange) {
        guides.text(exchange.getRequestURI().getPath()).whenComplete((text, fault) -> {
            if (fault == null) {
                answer(exchange, 200, text);
            } else {
                answer(exchange, 502, fault.toString());
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String text) {
        try (exchange) {
            var body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/tours", new Tours()::tour);
        server.start();
    }
}
