package clinic.formulary;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

@Component
class Wholesalers {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final WebClient list;

    Wholesalers(
            WebClient.Builder clients,
            @Value("${upstream}") String list,
            @Value("${wholesalers.connections:8}") int connections) {
        var provider = ConnectionProvider.builder("wholesalers")
                .maxConnections(connections)
                .maxIdleTime(Duration.ofSeconds(30))
                .pendingAcquireMaxCount(1_000)
                .build();
        this.list = clients.baseUrl(list)
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(provider)))
                .build();
    }

    int cents(String drug) {
        var entry = list.get().uri("/drugs/{drug}", drug).retrieve().bodyToMono(String.class);
        return 95 + entry.block(PATIENCE).length() * 10;
    }
}
