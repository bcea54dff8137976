package parcels.histories;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class HistoryController {
    private static final int STATIONS = 14;

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI stations;
    private final boolean asList;

    HistoryController(@Value("${upstream}") URI stations, @Value("${histories.as-list:false}") boolean asList) {
        this.stations = stations;
        this.asList = asList;
    }

    @GetMapping("/parcels/{parcel}/history")
    CompletionStage<List<String>> history(@PathVariable int parcel) {
        var passed = IntStream.range(0, STATIONS)
                .mapToObj(i -> "" + (parcel + i * 31) % 97)
                .toList();
        if (asList) {
            return ask(passed.stream().collect(Collectors.joining(","))).thenApply(List::of);
        }
        CompletableFuture<List<String>> history = CompletableFuture.completedFuture(new ArrayList<>());
        for (var station : passed) {
            history = history.thenCompose(events -> ask(station).thenApply(event -> {
                events.add(station + " " + event.length());
                return events;
            }));
        }
        return history;
    }

    private CompletableFuture<String> ask(String station) {
        var request = HttpRequest.newBuilder(stations.resolve("/stations/" + station))
                .timeout(Duration.ofSeconds(5))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body);
    }
}
