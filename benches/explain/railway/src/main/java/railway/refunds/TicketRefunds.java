package railway.refunds;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Refunds for late trains, which are paid at night from the book that is written by day. */
public final class TicketRefunds {
    private static final int THREADS = 64;

    private final Vault vault = new Vault(Boolean.parseBoolean(System.getProperty("refunds.safe", "true")));

    private TicketRefunds() throws IOException {}

    private void refund(HttpExchange exchange) throws IOException {
        try (exchange) {
            var ticket = exchange.getRequestURI().getPath().substring("/refunds/".length());
            vault.enter(ticket, "received");
            vault.enter(ticket, "late by " + ticket.length() * 5 + " minutes");
            vault.enter(ticket, "granted " + (900 + ticket.length() * 25) + " cents");
            long number = vault.enter(ticket, "to be paid");
            var body = ("refund " + number).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/refunds/", new TicketRefunds()::refund);
        server.start();
    }
}
