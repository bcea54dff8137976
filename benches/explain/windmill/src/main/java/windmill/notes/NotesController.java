package windmill.notes;

import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@RestController
class NotesController {
    private static final List<String> KINDS = List.of("wheat", "rye", "spelt", "bran");

    private final WebClient customers;

    NotesController(WebClient.Builder clients, @Value("${upstream}") String customers) {
        this.customers = clients.baseUrl(customers).build();
    }

    @GetMapping("/")
    Mono<String> note() {
        return customers
                .get()
                .uri("/customers/next")
                .retrieve()
                .bodyToMono(String.class)
                .log("windmill.customer")
                .flatMap(customer -> lines().map(lines -> "for " + customer.length() + ": " + lines));
    }

    private static Mono<String> lines() {
        return Flux.fromIterable(KINDS)
                .index((line, kind) -> line + " " + kind)
                .log("windmill.line")
                .reduce((above, line) -> above + "\n" + line);
    }
}
