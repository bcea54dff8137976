package parcels.moves;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Aisles, in each of which two moves at a time would collide. */
@Service
class Warehouse {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI cranes;
    private final Aisle[] aisles;

    Warehouse(@Value("${upstream}") URI cranes, @Value("${moves.aisles:1}") int count) {
        this.cranes = cranes.resolve("/moves");
        aisles = Stream.generate(Aisle::new).limit(count).toArray(Aisle[]::new);
    }

    CompletableFuture<String> move(int shelf) {
        return aisles[shelf % aisles.length].move(shelf);
    }

    private CompletableFuture<String> order(int shelf) {
        var request = HttpRequest.newBuilder(cranes)
                .POST(BodyPublishers.ofString("{\"shelf\": " + shelf + "}"))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body);
    }

    private class Aisle {
        private CompletableFuture<String> last = CompletableFuture.completedFuture("");

        synchronized CompletableFuture<String> move(int shelf) {
            last = last.exceptionally(failure -> "").thenCompose(before -> order(shelf));
            return last;
        }
    }
}

@RestController
class MoveController {
    private final Warehouse warehouse;

    MoveController(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    @GetMapping("/")
    CompletableFuture<String> move() {
        var shelf = ThreadLocalRandom.current().nextInt(10_000);
        return warehouse.move(shelf).thenApply(done -> "shelf " + shelf + ": " + done.length());
    }
}
