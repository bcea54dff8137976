package campsite;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Healthy: seats at the campfire, with permits for all; scouts wait to put wood on a full queue, and no guest does. */
final class Campfire {
    public static void main(String[] arguments) throws IOException {
        var wood = new ArrayBlockingQueue<Integer>(3);
        for (int scout = 0; scout < 20; scout++) {
            start("scout-" + scout, () -> wood.put(1));
        }
        start("fire", () -> {
            Thread.sleep(200);
            wood.take();
        });
        var seats = new Semaphore(30);
        var server = HttpServer.create(Office.here(), 200);
        server.setExecutor(Executors.newFixedThreadPool(30));
        server.createContext("/", exchange -> {
            seats.acquireUninterruptibly();
            try (exchange) {
                var seat = ("a seat " + Office.ask("/seats").length()).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, seat.length);
                exchange.getResponseBody().write(seat);
            } finally {
                seats.release();
            }
        });
        server.start();
    }

    private interface Work {
        void once() throws InterruptedException;
    }

    private static void start(String name, Work work) {
        var thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            work.once();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
