package foundry.quotes;

import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class QuoteController {
    private final Exchange exchange;
    private final Attempts attempts;

    QuoteController(Exchange exchange, Attempts attempts) {
        this.exchange = exchange;
        this.attempts = attempts;
    }

    @GetMapping("/quotes/{alloy}")
    CompletableFuture<Quote> quote(@PathVariable String alloy, @RequestParam(defaultValue = "1") int kilograms) {
        return attempts.at(() -> exchange.centsPerKilogram(alloy))
                .thenApply(cents -> new Quote(alloy, kilograms, cents * kilograms));
    }

    record Quote(String alloy, int kilograms, long cents) {}
}
