package parcels.docks;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LoadingController {
    private final HttpClient http = HttpClient.newHttpClient();
    private final Docks docks;
    private final URI loaders;

    LoadingController(Docks docks, @Value("${upstream}") URI loaders) {
        this.docks = docks;
        this.loaders = loaders;
    }

    @GetMapping("/vans/{van}/load")
    CompletableFuture<String> load(@PathVariable int van) {
        return docks.at(() -> loadersFor(van)).thenApply(loaded -> "loaded " + loaded.length());
    }

    private CompletableFuture<String> loadersFor(int van) {
        var request = HttpRequest.newBuilder(loaders.resolve("/loaders/" + van)).build();
        return http.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body);
    }
}
