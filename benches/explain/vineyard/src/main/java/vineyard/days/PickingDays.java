package vineyard.days;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Keeps a sample of the questions, one after the other; those that find no room are not kept. */
@Component
class Trail {
    private final Sinks.Many<String> questions = Sinks.many().multicast().onBackpressureBuffer(64, false);
    private final AtomicLong missed = new AtomicLong();

    Trail() {
        questions.asFlux().publishOn(Schedulers.newSingle("trail"), 64).subscribe(Trail::keep);
    }

    void leave(String question) {
        if (questions.tryEmitNext(question).isFailure()) {
            missed.incrementAndGet();
        }
    }

    private static void keep(String question) {
        try {
            Thread.sleep(Duration.ofMillis(400).plusMillis(question.length()).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

@RestController
class DayController {
    private final Trail trail;
    private final WebClient weather;

    DayController(Trail trail, WebClient.Builder clients, @Value("${upstream}") String weather) {
        this.trail = trail;
        this.weather = clients.baseUrl(weather).build();
    }

    @GetMapping("/days/{day}")
    Mono<String> day(@PathVariable String day) {
        return weather.get()
                .uri("/forecasts/{day}", day)
                .retrieve()
                .bodyToMono(String.class)
                .doOnNext(forecast -> trail.leave(day))
                .map(forecast -> day + (forecast.length() > 90 ? " is dry" : " is wet"));
    }
}
