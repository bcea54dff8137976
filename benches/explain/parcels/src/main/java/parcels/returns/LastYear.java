package parcels.returns;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.reactor.ratelimiter.operator.RateLimiterOperator;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Moves what was sent back last year into the archive, two at a time, and asks the owners for their opinion. */
@Component
class LastYear {
    private final WebClient archive;
    private final RateLimiter opinions = RateLimiter.of(
            "opinions",
            RateLimiterConfig.custom()
                    .limitForPeriod(4)
                    .limitRefreshPeriod(Duration.ofSeconds(1))
                    .timeoutDuration(Duration.ofHours(1))
                    .build());
    private Disposable work;

    LastYear(WebClient.Builder clients, @Value("${upstream}") String archive) {
        this.archive = clients.baseUrl(archive).build();
    }

    @PostConstruct
    void start() {
        var single = Schedulers.newSingle("archive");
        var moved = Flux.range(1, 1_000_000)
                .flatMap(this::move, 2)
                .publishOn(single)
                .doOnNext(this::toTape);
        var asked = Flux.range(1, 1_000_000).flatMap(this::opinion, 256);
        work = Flux.merge(moved, asked).subscribe();
    }

    @PreDestroy
    void end() {
        work.dispose();
    }

    private Mono<Integer> move(int parcel) {
        return archive.put()
                .uri("/archive/{parcel}", parcel)
                .retrieve()
                .toBodilessEntity()
                .thenReturn(parcel);
    }

    private Mono<Integer> opinion(int parcel) {
        return archive.post()
                .uri("/opinions/{parcel}", parcel)
                .retrieve()
                .toBodilessEntity()
                .thenReturn(parcel)
                .transformDeferred(RateLimiterOperator.of(opinions));
    }

    private void toTape(int parcel) {
        try {
            Thread.sleep(40 + parcel % 3);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
