package recycling.glass;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class GlassController {
    private final ClearingHouse house;

    GlassController(ClearingHouse house) {
        this.house = house;
    }

    @GetMapping("/vouchers/{voucher}/credit")
    Mono<Credit> credit(@PathVariable String voucher) {
        return house.credit(voucher).map(answer -> new Credit(voucher, answer.length() % 24 * 8));
    }

    record Credit(String voucher, int cents) {}
}
