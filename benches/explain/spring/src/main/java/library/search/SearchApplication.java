package library.search;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Search on WebFlux, whose WebClient shares few connections, and whose queue for them has room for all. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class SearchApplication {
    private final WebClient index;

    SearchApplication(WebClient.Builder builder, @Value("${search.index.connections:8}") int connections) {
        var provider = ConnectionProvider.builder("index")
                .maxConnections(connections)
                .pendingAcquireMaxCount(10_000)
                .pendingAcquireTimeout(Duration.ofSeconds(30))
                .build();
        index = builder.baseUrl(System.getProperty("upstream", "http://127.0.0.1:9"))
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(provider)))
                .build();
    }

    @GetMapping("/")
    Mono<String> search() {
        return index.get()
                .uri("/search?q=motion")
                .retrieve()
                .bodyToMono(String.class)
                .map(found -> "found " + found.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SearchApplication.class, arguments);
    }
}
