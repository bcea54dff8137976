package aquarium.corals;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Prices of corals; limited by local ports, as the client keeps no connection since one was once reset. */
@SpringBootApplication
@RestController
public class CoralsApplication {
    private final WebClient growers;

    CoralsApplication(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${corals.pooled:false}") boolean pooled) {
        var connections = pooled ? ConnectionProvider.create("growers", 100) : ConnectionProvider.newConnection();
        growers = clients.baseUrl(address)
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(connections)))
                .build();
    }

    @GetMapping("/")
    Mono<String> price() {
        return growers.get()
                .uri("/corals/staghorn")
                .retrieve()
                .bodyToMono(String.class)
                .map(offer -> "EUR " + offer.length() + ".90");
    }

    public static void main(String[] arguments) {
        SpringApplication.run(CoralsApplication.class, arguments);
    }
}
