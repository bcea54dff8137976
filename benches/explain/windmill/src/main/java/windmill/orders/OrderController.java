package windmill.orders;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@RestController
class OrderController {
    private final LedgerClient ledger;
    private final Scheduler clerks;

    OrderController(LedgerClient ledger, @Value("${orders.clerks:1}") int clerks) {
        this.ledger = ledger;
        this.clerks = clerks == 1 ? Schedulers.single() : Schedulers.newBoundedElastic(clerks, 10_000, "clerks");
    }

    @GetMapping("/")
    Mono<String> order() {
        int sacks = ThreadLocalRandom.current().nextInt(1, 40);
        return Mono.fromCallable(() -> ledger.enter(sacks + " sacks of flour"))
                .subscribeOn(clerks)
                .map(receipt -> "ordered " + sacks + ", receipt of " + receipt.length());
    }
}
