package vineyard.tours;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Recommends wines for guests, a few at a time; whoever finds no room goes without. */
@Service
class Recommendations {
    private final Semaphore room = new Semaphore(2);
    private final Scheduler training = Schedulers.newBoundedElastic(2, 10_000, "training");

    @EventListener(ApplicationReadyEvent.class)
    void train() {
        Flux.range(0, 2_000)
                .flatMap(guest -> Mono.fromCallable(() -> study(guest)).subscribeOn(training), 2_000)
                .subscribe();
    }

    Mono<String> one() {
        return Mono.fromSupplier(() -> {
            if (!room.tryAcquire()) {
                return "the house's own";
            }
            room.release();
            return "a Riesling";
        });
    }

    private int study(int guest) throws InterruptedException {
        room.acquire();
        try {
            Thread.sleep(Duration.ofSeconds(2).toMillis());
            return guest;
        } finally {
            room.release();
        }
    }
}

@RestController
class TourController {
    private final Recommendations recommendations;
    private final WebClient calendar;

    TourController(Recommendations recommendations, WebClient.Builder clients, @Value("${upstream}") String calendar) {
        this.recommendations = recommendations;
        this.calendar = clients.baseUrl(calendar).build();
    }

    @GetMapping("/tours/{day}")
    Mono<String> tour(@PathVariable String day) {
        return calendar.get()
                .uri("/days/{day}", day)
                .retrieve()
                .bodyToMono(String.class)
                .zipWith(recommendations.one(), (guests, wine) -> guests.length() + " guests, " + wine);
    }
}
