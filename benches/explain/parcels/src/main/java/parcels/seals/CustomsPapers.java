package parcels.seals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The security module's client, as its vendor ships it. */
@Component
class SealClient {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI module;

    SealClient(@Value("${upstream}") URI module) {
        this.module = module.resolve("/seal");
    }

    String seal(String paper) {
        try {
            var request = HttpRequest.newBuilder(module)
                    .POST(BodyPublishers.ofString(paper))
                    .build();
            return http.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

@Service
class CustomsPapers {
    private final WebClient papers;
    private final SealClient seals;
    private final Scheduler sealing;

    CustomsPapers(
            WebClient.Builder clients,
            @Value("${upstream}") String papers,
            SealClient seals,
            @Value("${seals.threads:0}") int threads) {
        this.papers = clients.baseUrl(papers).build();
        this.seals = seals;
        sealing = threads == 0 ? Schedulers.immediate() : Schedulers.newBoundedElastic(threads, 10_000, "seals");
    }

    Mono<String> sealed(int parcel) {
        return papers.get()
                .uri("/papers/{parcel}", parcel)
                .retrieve()
                .bodyToMono(String.class)
                .publishOn(sealing)
                .map(paper -> paper + " " + seals.seal(paper));
    }
}

@RestController
class PaperController {
    private final CustomsPapers papers;

    PaperController(CustomsPapers papers) {
        this.papers = papers;
    }

    @GetMapping("/papers/{parcel}")
    Mono<String> paper(@PathVariable int parcel) {
        return papers.sealed(parcel);
    }
}
