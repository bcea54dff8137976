package canal.cruises;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Cabins on cruises, as the booking system of the shipping line has them. */
public final class Cruises {
    private static final int THREADS = 100;

    private final Terminals terminals = new Terminals(Integer.getInteger("cruises.terminals", 5));

    private void cabins(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = page(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private String page(String cruise) throws IOException, InterruptedException {
        var terminal = terminals.lend();
        try {
            return "cabins left: " + terminal.type("AV " + cruise).length() % 30;
        } finally {
            terminals.takeBack(terminal);
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/cruises", new Cruises()::cabins);
        server.start();
    }
}
