package pharmacy.nights;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Pharmacies open at night, by WebFlux, whose event loops are blocked by a client that waits for its answer. */
@SpringBootApplication
@RestController
public class NightsApplication {
    private final RestClient chamber;
    private final boolean offload;

    NightsApplication(
            RestClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${nights.offload:false}") boolean offload) {
        chamber = clients.baseUrl(address)
                .requestFactory(new JdkClientHttpRequestFactory())
                .build();
        this.offload = offload;
    }

    @GetMapping("/")
    Mono<String> open() {
        var open = Mono.fromCallable(this::askChamber);
        return offload ? open.subscribeOn(Schedulers.boundedElastic()) : open;
    }

    private String askChamber() {
        return "open: " + chamber.get().uri("/nights").retrieve().body(String.class);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(NightsApplication.class, arguments);
    }
}
