package pier;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;

/** The tariff of a season for all vehicles, which is worked out for each request; partners' prices are fetched beside it. */
public final class TariffTables {
    private final Map<String, Integer> partnerPrices = new LinkedHashMap<>();

    private CompletionStage<?> tariff(String path) {
        var table = new LinkedHashMap<String, Object>();
        for (int length = 4; length < 16; length++) {
            for (int day = 1; day <= 120; day++) {
                double season = 1 + 0.4 * Math.sin(day * Math.PI / 120) * Math.exp(-length / 20.0);
                table.put("length " + length + ", day " + day, Math.round(length * 17.5 * season * 100) / 100.0);
            }
        }
        return CompletableFuture.completedFuture(table);
    }

    /** 200 prices at a time, over the one connection that the partner permits. */
    private void fetchPrices(HttpClient partner) {
        for (int price = 0; price < 200; price++) {
            var name = "price-" + price;
            Terminal.ask(partner, "/" + name).thenAccept(body -> {
                synchronized (partnerPrices) {
                    partnerPrices.put(name, body.length());
                }
            });
        }
    }

    public static void main(String[] arguments) throws Exception {
        var tables = new TariffTables();
        var partner = Terminal.client(1);
        Executors.newSingleThreadScheduledExecutor(task -> {
                    var thread = new Thread(task, "partner-prices");
                    thread.setDaemon(true);
                    return thread;
                })
                .scheduleAtFixedRate(() -> tables.fetchPrices(partner), 0, 10, TimeUnit.SECONDS);
        Terminal.open(tables::tariff);
    }
}
