package ski.lifts;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Speeds of chairlifts, set by WebFlux, whose event loops sleep until the lift's drive has settled. */
@SpringBootApplication
@RestController
public class LiftsApplication {
    private static final Duration SETTLES = Duration.ofMillis(150);

    private final WebClient drives;
    private final boolean timer;

    LiftsApplication(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${lifts.timer:false}") boolean timer) {
        drives = clients.baseUrl(address).build();
        this.timer = timer;
    }

    @GetMapping("/")
    Mono<String> slowDown() {
        var set = drives.get().uri("/drives/3?speed=2.5").retrieve().bodyToMono(String.class);
        return (timer ? set.delayElement(SETTLES) : set.doOnNext(drive -> letSettle()))
                .map(drive -> "slower: " + drive.length());
    }

    private static void letSettle() {
        try {
            Thread.sleep(SETTLES.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LiftsApplication.class, arguments);
    }
}
