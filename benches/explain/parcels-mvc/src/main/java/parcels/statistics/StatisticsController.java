package parcels.statistics;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class StatisticsController {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI counters;

    StatisticsController(@Value("${upstream}") URI counters) {
        this.counters = counters.resolve("/counters");
    }

    @GetMapping("/statistics")
    CompletableFuture<String> today() {
        return http.sendAsync(HttpRequest.newBuilder(counters).build(), BodyHandlers.ofString())
                .thenApply(counted -> counted.body().length() + " on their way");
    }
}
