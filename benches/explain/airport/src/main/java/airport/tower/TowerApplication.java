package airport.tower;

import airport.Partner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Mono;

/** Clearances from a tower far away, by an HTTP interface on WebClient: each request waits for the tower's answer. */
@SpringBootApplication
@RestController
public class TowerApplication {
    private final Tower tower;

    TowerApplication(WebClient.Builder builder) {
        var client = builder.baseUrl(Partner.ADDRESS).build();
        tower = HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
                .build()
                .createClient(Tower.class);
    }

    @GetMapping("/")
    Mono<String> clearance() {
        return tower.clear("LH74").map(answer -> "cleared " + answer.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(TowerApplication.class, arguments);
    }
}
