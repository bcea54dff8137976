package recycling.scrap;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class ScrapController {
    private final Exchange exchange;

    ScrapController(Exchange exchange) {
        this.exchange = exchange;
    }

    @GetMapping("/scrap/{metal}/price")
    Mono<Price> price(@PathVariable String metal, @RequestParam(defaultValue = "100") int kilograms) {
        return exchange.centsPerKilogram(metal).map(cents -> new Price(metal, kilograms, cents * kilograms));
    }

    record Price(String metal, int kilograms, int cents) {}
}
