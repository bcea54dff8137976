package parcels.quotes;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@Service
class Carriers {
    private static final List<String> NAMES = List.of("heron", "swift", "stork");

    private final RestClient client;

    Carriers(RestClient.Builder clients, @Value("${upstream}") String address) {
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(200)
                .setMaxConnPerRoute(200)
                .build();
        var http = HttpClients.custom().setConnectionManager(connections).build();
        client = clients.baseUrl(address)
                .requestFactory(new HttpComponentsClientHttpRequestFactory(http))
                .build();
    }

    List<CompletableFuture<Quote>> quotes(int grams) {
        return NAMES.stream()
                .map(name -> CompletableFuture.supplyAsync(() -> quote(name, grams)))
                .toList();
    }

    private Quote quote(String carrier, int grams) {
        var answer = client.get()
                .uri("/{carrier}/quote?grams={grams}", carrier, grams)
                .retrieve()
                .body(String.class);
        return new Quote(carrier, answer.length() * 5 + carrier.hashCode() % 50);
    }

    record Quote(String carrier, int cents) {}
}

@RestController
class QuoteController {
    private final Carriers carriers;

    QuoteController(Carriers carriers) {
        this.carriers = carriers;
    }

    @GetMapping("/quotes")
    CompletableFuture<Carriers.Quote> cheapest(@RequestParam(defaultValue = "800") int grams) {
        var quotes = carriers.quotes(grams);
        return CompletableFuture.allOf(quotes.toArray(CompletableFuture[]::new))
                .thenApply(all -> quotes.stream()
                        .map(CompletableFuture::join)
                        .min(Comparator.comparingInt(Carriers.Quote::cents))
                        .orElseThrow());
    }
}
