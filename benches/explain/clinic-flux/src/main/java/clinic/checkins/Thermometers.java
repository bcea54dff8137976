package clinic.checkins;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Reads the thermometers of the fridges, whose gateway takes one connection. */
@Component
class Thermometers {
    private static final int FRIDGES = 40;

    private final WebClient gateway;

    Thermometers(WebClient.Builder clients, @Value("${upstream}") String gateway) {
        var one = ConnectionProvider.builder("gateway")
                .maxConnections(1)
                .pendingAcquireMaxCount(2 * FRIDGES)
                .build();
        this.gateway = clients.baseUrl(gateway)
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(one)))
                .build();
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        Flux.range(1, FRIDGES)
                .flatMap(
                        fridge -> gateway.get()
                                .uri("/fridges/{fridge}", fridge)
                                .retrieve()
                                .bodyToMono(String.class)
                                .repeat(),
                        FRIDGES)
                .retry()
                .subscribe();
    }
}
