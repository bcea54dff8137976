package apiary.weights;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Weights of hives, for which requests wait in the queue of {@link Scales}. */
@SpringBootApplication
@RestController
public class WeightsApplication {
    private final Scales scales;

    WeightsApplication(Scales scales) {
        this.scales = scales;
    }

    @GetMapping("/")
    Mono<String> weight() {
        return scales.weigh(ThreadLocalRandom.current().nextInt(900)).map(weight -> "weight " + weight.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(WeightsApplication.class, arguments);
    }
}
