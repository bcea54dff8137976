package apiary.wax;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Auctions of wax, asked on a new connection each time since somebody saw one end early: ports run out. */
@SpringBootApplication
@RestController
public class WaxApplication {
    private final WebClient auctions;

    WaxApplication(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${wax.keep-connections:false}") boolean keep) {
        auctions = clients.baseUrl(address)
                .clientConnector(
                        new ReactorClientHttpConnector(keep ? HttpClient.create() : HttpClient.newConnection()))
                .build();
    }

    @GetMapping("/")
    Mono<String> bids() {
        return auctions.get().uri("/wax").retrieve().bodyToMono(String.class).map(bids -> "bids " + bids.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(WaxApplication.class, arguments);
    }
}
