package pier;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.client.HttpClient;

/** Cargo of a ship, read from the customs' API page by page until there is no further one. */
public final class CargoPages {
    private static final int CONSIGNMENTS = 120;

    private final int pageSize = Integer.getInteger("customs.page-size", 10);
    private final HttpClient customs;

    private CargoPages(HttpClient customs) {
        this.customs = customs;
    }

    private CompletionStage<?> cargo(String path) {
        var ship = path.substring(path.lastIndexOf('/') + 1);
        return rest(ship, 0, new ArrayList<>())
                .thenApply(weights -> Map.of(
                        "ship",
                        ship,
                        "consignments",
                        weights.size(),
                        "tonnes",
                        weights.stream().mapToInt(Integer::intValue).sum()));
    }

    private CompletionStage<List<Integer>> rest(String ship, int from, List<Integer> weights) {
        if (from >= CONSIGNMENTS) {
            return CompletableFuture.completedFuture(weights);
        }
        return Terminal.ask(customs, "/cargo/" + ship + "?from=" + from + "&size=" + pageSize)
                .thenCompose(page -> {
                    for (int item = 0; item < pageSize; item++) {
                        weights.add(page.charAt(item % page.length()) % 30);
                    }
                    return rest(ship, from + pageSize, weights);
                });
    }

    public static void main(String[] arguments) throws Exception {
        Terminal.open(new CargoPages(Terminal.client(128))::cargo);
    }
}
