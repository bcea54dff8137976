package apiary.colonies;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** The association's list of colonies, which is read by small pages, a call for each after the one before. */
@SpringBootApplication
@RestController
public class ColoniesApplication {
    private static final int COLONIES = 60;
    private final WebClient association;
    private final int pageSize;

    ColoniesApplication(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${colonies.page-size:5}") int pageSize) {
        association = clients.baseUrl(address).build();
        this.pageSize = pageSize;
    }

    @GetMapping("/")
    Mono<String> list() {
        return page(0).expand(page -> page.next() < COLONIES ? page(page.next()) : Mono.empty())
                .map(page -> page.colonies().length())
                .reduce(Integer::sum)
                .map(length -> "colonies " + length);
    }

    private Mono<Page> page(int from) {
        return association
                .get()
                .uri("/colonies?from={from}&count={count}", from, pageSize)
                .retrieve()
                .bodyToMono(String.class)
                .map(colonies -> new Page(from + pageSize, colonies));
    }

    private record Page(int next, String colonies) {}

    public static void main(String[] arguments) {
        SpringApplication.run(ColoniesApplication.class, arguments);
    }
}
