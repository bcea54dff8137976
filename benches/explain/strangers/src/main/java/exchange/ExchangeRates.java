package exchange;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import support.Backend;

/** Rates of exchange by the JDK's server as it is: the head of an answer and its body are two writes, and Nagle waits. */
public final class ExchangeRates {
    private static final Map<String, Double> RATES =
            new TreeMap<>(Map.of("EUR", 1.0, "KRW", 1_612.4, "JPY", 172.9, "USD", 1.16));

    public static void main(String[] arguments) throws IOException {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Backend.PORT), 200);
        server.setExecutor(Executors.newFixedThreadPool(50));
        server.createContext("/", ExchangeRates::answer);
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        var body = RATES.entrySet().stream()
                .map(rate -> rate.getKey() + " " + rate.getValue())
                .collect(Collectors.joining("\n"))
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
