package baskets;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import support.Backend;

/** Baskets of customers in memory, which leave little of the heap; each request replaces some and renders one. */
public final class BasketServer {
    private record Line(String article, String note, int pieces) {}

    private static final int CUSTOMERS = Integer.getInteger("baskets.kept", 40_000);
    private static final int REPLACED = 20;

    private final Map<Integer, List<Line>> baskets = new ConcurrentHashMap<>(CUSTOMERS * 2);

    public static void main(String[] arguments) {
        var shop = new BasketServer();
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            shop.baskets.put(customer, basket(customer));
        }
        Undertow.builder()
                .addHttpListener(Backend.PORT, "127.0.0.1")
                .setWorkerThreads(60)
                .setHandler(new BlockingHandler(
                        exchange -> exchange.getResponseSender().send(shop.page())))
                .build()
                .start();
    }

    private static List<Line> basket(int customer) {
        var lines = new ArrayList<Line>();
        for (int line = 0; line < 7; line++) {
            lines.add(new Line("article " + customer + "/" + line, "gift wrapped, by noon, no " + customer, line));
        }
        return lines;
    }

    private String page() {
        var random = ThreadLocalRandom.current();
        for (int i = 0; i < REPLACED; i++) {
            int customer = random.nextInt(CUSTOMERS);
            baskets.put(customer, basket(customer));
        }
        var page = new StringBuilder();
        for (int row = 0; row < 300; row++) {
            page.append(row).append(": ").append(basket(row)).append('\n');
        }
        return "basket page of " + page.length();
    }
}
