package cinema.halls;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Plans of a hall with the seats that are taken, as a drawing for browsers. */
public final class Halls {
    private static final int THREADS = 32;

    private Halls() {}

    private static void plan(HttpExchange exchange) throws IOException {
        try (exchange) {
            var plan = new Plan(exchange.getRequestURI().getPath().hashCode()).zipped();
            exchange.getResponseHeaders().set("Content-Type", "image/svg+xml");
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, plan.length);
            exchange.getResponseBody().write(plan);
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/halls", Halls::plan);
        server.start();
    }
}
