package cinema.forecasts;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Forecasts of how full a show will be, from many evenings that are thrown by dice. */
public final class Forecasts {
    private static final int THREADS = 32;

    private Forecasts() {}

    private static void forecast(HttpExchange exchange) throws IOException {
        try (exchange) {
            var seats = new Evening(exchange.getRequestURI().getPath().hashCode()).likelySeats();
            var body = ("{\"seats\": " + seats + "}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        new Sales(System.getProperty("upstream")).begin();
        var server =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)), 1_000);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/shows", Forecasts::forecast);
        server.start();
    }
}
