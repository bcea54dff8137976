package vineyard.carriers;

import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

@Service
class CarrierOrders {
    private final WebClient carrier;

    CarrierOrders(WebClient.Builder clients, @Value("${upstream}") String carrier) {
        this.carrier = clients.baseUrl(carrier)
                .clientConnector(
                        new ReactorClientHttpConnector(HttpClient.create().wiretap("carrier.wire")))
                .build();
    }

    Mono<String> order(int pallet) {
        var order = Map.of("pallet", pallet, "from", "Estate", "to", "Harbour", "bottles", 600, "fragile", true);
        return carrier.post().uri("/orders").bodyValue(order).retrieve().bodyToMono(String.class);
    }
}

@RestController
class PalletController {
    private final CarrierOrders orders;

    PalletController(CarrierOrders orders) {
        this.orders = orders;
    }

    @GetMapping("/pallets/{pallet}/order")
    Mono<String> order(@PathVariable int pallet) {
        return orders.order(pallet).map(answer -> "pallet " + pallet + ", answer " + answer.hashCode());
    }
}
