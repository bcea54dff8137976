package windmill.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;

@Service
class Hoist {
    private final WebClient carrier;
    private final Sinks.Many<Sack> sacks = Sinks.many().unicast().onBackpressureBuffer();
    private final AtomicLong numbers = new AtomicLong();

    Hoist(
            WebClient.Builder clients,
            @Value("${upstream}") String carrier,
            @Value("${hoist.milliseconds:8}") long milliseconds) {
        this.carrier = clients.baseUrl(carrier).build();
        sacks.asFlux()
                .delayElements(Duration.ofMillis(milliseconds))
                .flatMap(this::announce, 256)
                .subscribe();
    }

    Mono<String> send() {
        var sack = new Sack(numbers.incrementAndGet(), Sinks.one());
        sacks.emitNext(sack, EmitFailureHandler.busyLooping(Duration.ofSeconds(1)));
        return sack.fetched().asMono();
    }

    private Mono<String> announce(Sack sack) {
        return carrier.put()
                .uri("/sacks/{number}", sack.number())
                .retrieve()
                .bodyToMono(String.class)
                .doOnNext(sack.fetched()::tryEmitValue)
                .doOnError(sack.fetched()::tryEmitError)
                .onErrorComplete();
    }

    private record Sack(long number, Sinks.One<String> fetched) {}
}

@RestController
class DispatchController {
    private final Hoist hoist;

    DispatchController(Hoist hoist) {
        this.hoist = hoist;
    }

    @GetMapping("/")
    Mono<String> dispatch() {
        return hoist.send().map(van -> "fetched by " + van.length());
    }
}
