package plants;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** A quota of requests for each second, as services of the public have one for each customer: more are refused. */
final class QuotaWindow {
    private static final int PER_SECOND = Integer.getInteger("per-second", 100);
    private static long second;
    private static int taken;

    public static void main(String[] arguments) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Serve.PORT), 1000);
        server.setExecutor(Executors.newFixedThreadPool(Serve.ROOM));
        server.createContext("/", QuotaWindow::answer);
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean isWithin = take(System.nanoTime() / 1_000_000_000);
            var body = (isWithin ? ask() : "the quota is used up").getBytes(StandardCharsets.UTF_8);
            if (!isWithin) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            exchange.sendResponseHeaders(isWithin ? 200 : 429, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String ask() throws IOException {
        try {
            return Upstream.call();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static synchronized boolean take(long now) {
        if (now != second) {
            second = now;
            taken = 0;
        }
        return taken++ < PER_SECOND;
    }
}
