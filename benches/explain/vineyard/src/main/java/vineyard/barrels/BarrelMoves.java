package vineyard.barrels;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Lends each key to one at a time; the others come back a little later. */
@Component
class Leases {
    private final Map<Integer, Integer> holders = new ConcurrentHashMap<>();
    private final AtomicInteger tickets = new AtomicInteger();

    <T> Mono<T> with(int key, Function<Integer, Mono<T>> work) {
        return Mono.usingWhen(take(key), work, ticket -> Mono.fromRunnable(() -> holders.remove(key, ticket)));
    }

    private Mono<Integer> take(int key) {
        return Mono.fromSupplier(tickets::incrementAndGet)
                .flatMap(ticket -> Mono.fromCallable(() -> holders.putIfAbsent(key, ticket) == null ? ticket : null)
                        .repeatWhenEmpty(misses -> misses.delayElements(Duration.ofMillis(8))));
    }
}

@Service
class BarrelMoves {
    private final Leases leases;
    private final WebClient robots;
    private final int halls;

    BarrelMoves(
            Leases leases,
            WebClient.Builder clients,
            @Value("${upstream}") String robots,
            @Value("${barrels.halls:1}") int halls) {
        this.leases = leases;
        this.robots = clients.baseUrl(robots).build();
        this.halls = halls;
    }

    Mono<String> move(int barrel) {
        return leases.with(
                barrel % halls,
                ticket -> robots.post()
                        .uri("/barrels/{barrel}/moves/{ticket}", barrel, ticket)
                        .retrieve()
                        .bodyToMono(String.class)
                        .map(answer -> "barrel " + barrel + " moved, " + answer.length()));
    }
}

@RestController
class BarrelController {
    private final BarrelMoves moves;
    private final AtomicInteger next = new AtomicInteger();

    BarrelController(BarrelMoves moves) {
        this.moves = moves;
    }

    @GetMapping("/barrels/next/move")
    Mono<String> moveNext() {
        return moves.move(next.getAndIncrement() & 0xffff);
    }
}
