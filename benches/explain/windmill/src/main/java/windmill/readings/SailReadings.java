package windmill.readings;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

@Service
class SailReadings {
    private final Sinks.Many<List<Reading>> history;

    SailReadings(@Value("${readings.kept:270}") int kept) {
        this.history = Sinks.many().replay().limit(kept);
        for (int batch = 0; batch < kept; batch++) {
            history.tryEmitNext(measure());
        }
    }

    /** The newest batch, which from now on is part of the history. */
    Mono<List<Reading>> next() {
        return Mono.fromSupplier(SailReadings::measure).doOnNext(this::keep);
    }

    Flux<Reading> oldest(int readings) {
        return history.asFlux().concatMapIterable(batch -> batch).take(readings);
    }

    private synchronized void keep(List<Reading> batch) {
        history.tryEmitNext(batch);
    }

    private static List<Reading> measure() {
        var batch = new ArrayList<Reading>(1_800);
        for (int second = 0; second < 1_800; second++) {
            var random = ThreadLocalRandom.current();
            batch.add(new Reading("sail " + random.nextInt(4), random.nextDouble(25), second));
        }
        return batch;
    }

    record Reading(String sail, double turns, int second) {}
}

@RestController
class ReadingsController {
    private final SailReadings readings;

    ReadingsController(SailReadings readings) {
        this.readings = readings;
    }

    @GetMapping("/")
    Mono<String> compare() {
        return Mono.zip(mean(readings.next().flatMapIterable(batch -> batch)), mean(readings.oldest(1_800)))
                .map(turns -> "now %.1f, then %.1f".formatted(turns.getT1(), turns.getT2()));
    }

    private static Mono<Double> mean(Flux<SailReadings.Reading> readings) {
        return readings.map(SailReadings.Reading::turns)
                .collectList()
                .map(turns -> turns.stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElse(0));
    }
}
