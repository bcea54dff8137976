package parcels.tariffs;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

@Service
class TariffService {
    private final WebClient customs;
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final long gap;

    TariffService(
            WebClient.Builder clients,
            @Value("${upstream}") String customs,
            @Value("${tariffs.contract.per-second:60}") int perSecond) {
        this.customs = clients.baseUrl(customs).build();
        gap = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    Mono<Tariff> tariff(String country) {
        return Mono.defer(() -> Mono.delay(turn())).then(ask(country)).map(code -> new Tariff(country, code));
    }

    private Mono<String> ask(String country) {
        return customs.get().uri("/tariffs/{country}", country).retrieve().bodyToMono(String.class);
    }

    /** Time until it is our turn. */
    private Duration turn() {
        var now = System.nanoTime();
        var mine = next.updateAndGet(last -> Math.max(last + gap, now));
        return Duration.ofNanos(mine - now);
    }

    record Tariff(String country, String code) {}
}

@RestController
class TariffController {
    private final TariffService tariffs;

    TariffController(TariffService tariffs) {
        this.tariffs = tariffs;
    }

    @GetMapping("/")
    Mono<TariffService.Tariff> tariff(@RequestParam(defaultValue = "NO") String country) {
        return tariffs.tariff(country);
    }
}
