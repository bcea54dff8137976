package windmill.quality;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@RestController
class QualityController {
    private final Laboratory laboratory;

    QualityController(Laboratory laboratory) {
        this.laboratory = laboratory;
    }

    @GetMapping("/")
    Mono<String> grade() {
        int delivery = ThreadLocalRandom.current().nextInt(100_000);
        return Flux.range(0, 40)
                .flatMap(sample -> laboratory.examine(delivery, sample))
                .collectList()
                .map(grades -> grades.stream().mapToInt(Integer::intValue).sum() / grades.size())
                .map(grade -> "delivery " + delivery + " is of grade " + grade);
    }
}

@Service
class Laboratory {
    Mono<Integer> examine(int delivery, int sample) {
        return Mono.zip(moisture(delivery, sample), protein(delivery, sample))
                .map(found -> found.getT2() - found.getT1())
                .filter(grade -> grade > 0)
                .defaultIfEmpty(1);
    }

    private Mono<Integer> moisture(int delivery, int sample) {
        return Mono.just(delivery * 31 + sample)
                .map(seed -> seed % 7 + 10)
                .filter(percent -> percent < 15)
                .switchIfEmpty(Mono.just(15));
    }

    private Mono<Integer> protein(int delivery, int sample) {
        return Mono.just(delivery * 17 + sample)
                .map(seed -> seed % 5 + 9)
                .onErrorReturn(9)
                .map(percent -> percent + 6);
    }
}
