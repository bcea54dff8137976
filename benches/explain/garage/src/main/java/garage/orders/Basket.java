package garage.orders;

import java.util.ArrayList;
import java.util.List;
import org.springframework.web.client.RestClient;

/** A basket in the wholesaler's shop: it is filled, then sent off. Not for several threads at a time. */
class Basket {
    private final List<String> parts = new ArrayList<>();
    private final RestClient wholesaler;

    Basket(RestClient wholesaler) {
        this.wholesaler = wholesaler;
    }

    void add(String part) {
        parts.add(part);
    }

    String send() {
        var order = wholesaler
                .get()
                .uri("/orders?parts={parts}", String.join(",", parts))
                .retrieve()
                .body(String.class);
        parts.clear();
        return order;
    }
}
