package recycling.bulky;

import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final Haulier haulier;

    OrderController(Haulier haulier) {
        this.haulier = haulier;
    }

    @GetMapping("/bulky-waste/{order}/offer")
    CompletableFuture<Offer> offer(@PathVariable String order) {
        return haulier.offer(order).thenApply(euros -> new Offer(order, euros));
    }

    record Offer(String order, int euros) {}
}
