package recycling.scrap;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The exchange, with connections enough and a circuit breaker for its bad days. */
@Service
class Exchange {
    private final CircuitBreaker breaker = CircuitBreaker.ofDefaults("exchange");
    private final WebClient exchange;

    Exchange(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${exchange.connections:50}") int connections) {
        var pool = ConnectionProvider.builder("exchange")
                .maxConnections(connections)
                .pendingAcquireMaxCount(1_000)
                .maxIdleTime(Duration.ofSeconds(20))
                .build();
        exchange = clients.baseUrl(address)
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(pool)))
                .build();
    }

    Mono<Integer> centsPerKilogram(String metal) {
        return exchange.get()
                .uri("/metals/{metal}", metal)
                .retrieve()
                .bodyToMono(String.class)
                .timeout(Duration.ofSeconds(10))
                .transformDeferred(CircuitBreakerOperator.of(breaker))
                .map(answer -> 20 + answer.length() % 500);
    }
}
