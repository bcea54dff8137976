package clinic.blood;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class BloodController {
    private final Stock stock;

    BloodController(Stock stock) {
        this.stock = stock;
    }

    @GetMapping("/blood/{group}")
    Mono<Packs> packs(@PathVariable String group) {
        return stock.of(group).map(count -> new Packs(group, count));
    }

    record Packs(String group, String count) {}
}
