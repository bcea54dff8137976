package apiary.weights;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Weighs hives in one pipeline for all requests, whose flatMap has few at once under way. */
@Component
class Scales {
    private FluxSink<Weighing> weighings;
    private final WebClient sensors;

    Scales(WebClient.Builder clients, @Value("${upstream}") String address, @Value("${scales.at-once:4}") int atOnce) {
        sensors = clients.baseUrl(address).build();
        Flux.<Weighing>create(sink -> weighings = sink)
                .flatMap(this::carryOut, atOnce)
                .subscribe();
    }

    Mono<String> weigh(int hive) {
        var weighing = new Weighing(hive, Sinks.one());
        weighings.next(weighing);
        return weighing.weight().asMono();
    }

    private Mono<String> carryOut(Weighing weighing) {
        return sensors.get()
                .uri("/hives/" + weighing.hive())
                .retrieve()
                .bodyToMono(String.class)
                .doOnNext(weighing.weight()::tryEmitValue)
                .doOnError(weighing.weight()::tryEmitError)
                .onErrorComplete();
    }

    private record Weighing(int hive, Sinks.One<String> weight) {}
}
