package consumers;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import support.Backend;

/** Healthy: 60 consumers of an empty queue, and a backlog of 5,000 reports before one thread, which no request waits for. */
public final class IdleConsumers {
    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var messages = new LinkedBlockingQueue<String>();
        var consumers = Executors.newFixedThreadPool(60);
        for (int i = 0; i < 60; i++) {
            consumers.execute(() -> consume(messages));
        }
        var reports = Executors.newSingleThreadExecutor();
        for (int i = 0; i < 5_000; i++) {
            reports.execute(IdleConsumers::report);
        }
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Backend.PORT), 200);
        server.setExecutor(Executors.newFixedThreadPool(40));
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = Backend.fetch().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    private static void consume(BlockingQueue<String> messages) {
        try {
            while (!messages.take().isEmpty()) {
                System.out.println("a message");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void report() {
        try {
            Thread.sleep(250);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
