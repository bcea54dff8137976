package pharmacy.interactions;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Interactions of the drugs in a basket, by a call for each drug, one after the other, on WebFlux. */
@SpringBootApplication
@RestController
public class InteractionsApplication {
    private final WebClient registry;
    private final boolean batch;

    InteractionsApplication(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${interactions.batch:false}") boolean batch) {
        registry = clients.baseUrl(address).build();
        this.batch = batch;
    }

    @GetMapping("/")
    Mono<String> check() {
        var drugs = Flux.range(100, 10);
        if (batch) {
            return drugs.map(String::valueOf)
                    .collectList()
                    .flatMap(all -> ask("/drugs?ids=" + String.join(",", all)))
                    .map(answer -> "checked " + answer.length());
        }
        return drugs.concatMap(drug -> ask("/drugs/" + drug)).count().map(checked -> "checked " + checked);
    }

    private Mono<String> ask(String path) {
        return registry.get().uri(path).retrieve().bodyToMono(String.class);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(InteractionsApplication.class, arguments);
    }
}
