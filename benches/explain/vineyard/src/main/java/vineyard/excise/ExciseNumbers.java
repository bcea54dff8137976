package vineyard.excise;

import java.time.Duration;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.pool.Pool;
import reactor.pool.PoolBuilder;

/** A logged-on session, in which the office wants one question after the other. */
record Terminal(String session, WebClient office) {
    Mono<String> number(String bottle) {
        return office.post()
                .uri("/sessions/{session}/numbers", session)
                .bodyValue(bottle)
                .retrieve()
                .bodyToMono(String.class);
    }

    static Mono<Terminal> logOn(WebClient office) {
        var session = UUID.randomUUID().toString();
        return office.post()
                .uri("/sessions")
                .bodyValue(session)
                .retrieve()
                .toBodilessEntity()
                .thenReturn(new Terminal(session, office));
    }
}

@Service
class ExciseNumbers {
    private final Pool<Terminal> terminals;

    ExciseNumbers(
            WebClient.Builder clients, @Value("${upstream}") String url, @Value("${excise.terminals:5}") int most) {
        var office = clients.baseUrl(url).build();
        terminals = PoolBuilder.from(Mono.defer(() -> Terminal.logOn(office)))
                .sizeBetween(1, most)
                .maxPendingAcquireUnbounded()
                .evictionIdle(Duration.ofMinutes(15))
                .buildPool();
    }

    Mono<String> number(String bottle) {
        return terminals
                .withPoolable(terminal -> terminal.number(bottle))
                .next()
                .map(number -> bottle + " is " + Integer.toHexString(number.hashCode()));
    }
}

@RestController
class ExciseController {
    private final ExciseNumbers numbers;

    ExciseController(ExciseNumbers numbers) {
        this.numbers = numbers;
    }

    @GetMapping("/bottles/{bottle}/excise")
    Mono<String> number(@PathVariable String bottle) {
        return numbers.number(bottle);
    }
}
