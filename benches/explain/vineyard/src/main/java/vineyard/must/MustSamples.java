package vineyard.must;

import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.concurrent.Queues;

record Sample(String tank, Sinks.One<Double> sugar) {}

@Service
class MustSamples {
    private final Sinks.Many<Sample> samples = Sinks.many()
            .unicast()
            .onBackpressureBuffer(Queues.<Sample>unboundedMultiproducer().get());
    private final WebClient laboratory;

    MustSamples(WebClient.Builder clients, @Value("${upstream}") String laboratory, @Value("${must.tray:8}") int tray) {
        this.laboratory = clients.baseUrl(laboratory).build();
        samples.asFlux()
                .bufferTimeout(tray, Duration.ofMillis(15), true)
                .concatMap(this::analyse, 1)
                .subscribe();
    }

    Mono<Double> sugar(String tank) {
        return Mono.defer(() -> {
            var sample = new Sample(tank, Sinks.one());
            samples.emitNext(sample, Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(1)));
            return sample.sugar().asMono();
        });
    }

    private Mono<Void> analyse(List<Sample> tray) {
        var tanks = tray.stream().map(Sample::tank).toList();
        return laboratory
                .post()
                .uri("/analyses")
                .bodyValue(tanks)
                .retrieve()
                .bodyToMono(String.class)
                .doOnNext(report -> tray.forEach(sample -> sample.sugar().tryEmitValue(report.length() / 5.0)))
                .doOnError(cause -> tray.forEach(sample -> sample.sugar().tryEmitError(cause)))
                .onErrorComplete()
                .then();
    }
}

@RestController
class MustController {
    private final MustSamples samples;

    MustController(MustSamples samples) {
        this.samples = samples;
    }

    @GetMapping("/tanks/{tank}/sugar")
    Mono<String> sugar(@PathVariable String tank) {
        return samples.sugar(tank).map(brix -> tank + ": " + brix + " °Bx");
    }
}
