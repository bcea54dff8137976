package museum.loans;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@RestController
class LoanController {
    private final WebClient lenders;
    private final Trail trail;
    private final boolean apart;

    LoanController(
            WebClient.Builder clients,
            Trail trail,
            @Value("${upstream}") String lenders,
            @Value("${trail.apart:false}") boolean apart) {
        this.lenders = clients.baseUrl(lenders).build();
        this.trail = trail;
        this.apart = apart;
    }

    @GetMapping("/loans/{loan}")
    Mono<Loan> loan(@PathVariable String loan) {
        var found = lenders.get()
                .uri("/loans/{loan}", loan)
                .retrieve()
                .bodyToMono(String.class)
                .map(text -> new Loan(loan, text.length() * 10_000L));
        return (apart ? found.publishOn(Schedulers.boundedElastic()) : found).doOnNext(trail::note);
    }
}
