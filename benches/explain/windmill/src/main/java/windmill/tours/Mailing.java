package windmill.tours;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Letters to friends of the mill, two a second as their provider wants it, and photographs, two at a time. */
@Service
class Mailing {
    private final AtomicLong sent = new AtomicLong();
    private final Semaphore printers = new Semaphore(2, true);
    private final Scheduler photographers = Schedulers.newBoundedElastic(12, 100_000, "photographs");

    Mailing() {
        Sinks.Many<String> letters = Sinks.many().unicast().onBackpressureBuffer();
        letters.asFlux().delayElements(Duration.ofMillis(500)).subscribe(letter -> sent.incrementAndGet());
        for (int friend = 0; friend < 20_000; friend++) {
            letters.tryEmitNext("Dear friend " + friend);
        }
        Flux.range(0, 30_000)
                .flatMap(
                        photograph -> Mono.fromCallable(() -> print(photograph)).subscribeOn(photographers), 10_000)
                .subscribe();
    }

    long sent() {
        return sent.get();
    }

    private int print(int photograph) throws InterruptedException {
        printers.acquire();
        try {
            Thread.sleep(400);
            return photograph;
        } finally {
            printers.release();
        }
    }
}

@RestController
class TourController {
    private final WebClient guides;
    private final Mailing mailing;

    TourController(WebClient.Builder clients, @Value("${upstream}") String guides, Mailing mailing) {
        this.guides = clients.baseUrl(guides).build();
        this.mailing = mailing;
    }

    @GetMapping("/")
    Mono<String> next() {
        return guides.get()
                .uri("/tours/next")
                .retrieve()
                .bodyToMono(String.class)
                .map(tour -> "tour " + tour.length() + ", letters " + mailing.sent());
    }
}
