package bakery.weddings;

import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Prices that the wholesaler asks for ingredients today. */
@Service
class Ingredients {
    private final RestClient wholesaler;

    Ingredients(RestClient.Builder clients, @Value("${upstream}") String address) {
        wholesaler = clients.baseUrl(address).build();
    }

    @Async
    CompletableFuture<Integer> price(String name) {
        var offer = wholesaler.get().uri("/prices/{name}", name).retrieve().body(String.class);
        return CompletableFuture.completedFuture(offer.length() * 13);
    }
}
