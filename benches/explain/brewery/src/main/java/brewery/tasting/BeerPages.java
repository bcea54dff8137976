package brewery.tasting;

import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Asks for the parts of a page side by side. */
@Service
class BeerPages {
    private final RestClient office;

    BeerPages(RestClient.Builder clients, @Value("${upstream}") String office) {
        this.office = clients.baseUrl(office).build();
    }

    BeerPage page(String beer) {
        var notes = CompletableFuture.supplyAsync(() -> ask("/notes/{beer}", beer));
        var prices = CompletableFuture.supplyAsync(() -> ask("/prices/{beer}", beer));
        var stock = CompletableFuture.supplyAsync(() -> ask("/stock/{beer}", beer));
        return new BeerPage(
                beer, notes.join(), prices.join().length(), stock.join().length());
    }

    private String ask(String path, String beer) {
        return office.get().uri(path, beer).retrieve().body(String.class);
    }
}
