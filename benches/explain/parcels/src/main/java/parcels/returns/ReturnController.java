package parcels.returns;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

@RestController
class ReturnController {
    private final WebClient shops;

    ReturnController(WebClient.Builder clients, @Value("${upstream}") String shops) {
        this.shops = clients.baseUrl(shops).build();
    }

    @GetMapping("/returns/{parcel}")
    Mono<String> state(@PathVariable int parcel) {
        return shops.get()
                .uri("/returns/{parcel}", parcel)
                .retrieve()
                .bodyToMono(String.class)
                .map(state -> parcel + ": " + state.length());
    }
}
