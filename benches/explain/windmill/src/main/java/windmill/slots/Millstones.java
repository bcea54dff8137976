package windmill.slots;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** The mill's controls, which the manufacturer wants to be asked by a few at a time. */
@Service
class Millstones {
    private static final Retry A_MOMENT_LATER =
            Retry.fixedDelay(Long.MAX_VALUE, Duration.ofMillis(20)).filter(OccupiedException.class::isInstance);

    private final WebClient controls;
    private final Semaphore stones;

    Millstones(WebClient.Builder clients, @Value("${upstream}") String controls, @Value("${slots.stones:4}") int n) {
        this.controls = clients.baseUrl(controls).build();
        this.stones = new Semaphore(n);
    }

    Mono<String> reserve(String grain) {
        return Mono.defer(() -> stones.tryAcquire() ? grind(grain) : Mono.error(new OccupiedException()))
                .retryWhen(A_MOMENT_LATER);
    }

    private Mono<String> grind(String grain) {
        return controls.post()
                .uri("/grind")
                .bodyValue(grain)
                .retrieve()
                .bodyToMono(String.class)
                .doFinally(end -> stones.release());
    }

    private static class OccupiedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}

@RestController
class SlotController {
    private final Millstones stones;

    SlotController(Millstones stones) {
        this.stones = stones;
    }

    @GetMapping("/")
    Mono<String> reserve() {
        var grain = ThreadLocalRandom.current().nextBoolean() ? "rye" : "wheat";
        return stones.reserve(grain).map(slot -> grain + " at " + slot.length());
    }
}
