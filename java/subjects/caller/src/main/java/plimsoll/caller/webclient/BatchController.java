package plimsoll.caller.webclient;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import plimsoll.caller.CallerProperties;
import plimsoll.caller.CallerProperties.Batch;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** {@code /batch}: calls with so many in flight, each with a time-out and one retry. */
@RestController
@Profile("webclient")
class BatchController {

    private final WebClient webClient;
    private final Batch batch;

    BatchController(WebClient webClient, CallerProperties properties) {
        this.webClient = webClient;
        this.batch = properties.batch();
    }

    /** How many calls were made; fails if one of them does. */
    @GetMapping("/batch")
    Mono<Long> batch(@RequestParam(defaultValue = "50") int calls, @RequestParam(defaultValue = "10") int concurrency) {
        return Flux.range(1, calls).flatMap(call -> fetch(), concurrency).count();
    }

    private Mono<String> fetch() {
        return webClient
                .get()
                .uri("/")
                .retrieve()
                .bodyToMono(String.class)
                .timeout(batch.timeout())
                .retryWhen(Retry.fixedDelay(1, batch.retryDelay()));
    }
}
