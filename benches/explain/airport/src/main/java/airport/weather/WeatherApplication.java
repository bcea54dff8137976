package airport.weather;

import airport.Partner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Weather reports on WebFlux, by a named pool of Reactor Netty as it is, which has sixteen connections on few CPUs. */
@SpringBootApplication
@RestController
public class WeatherApplication {
    private final WebClient office;

    WeatherApplication(WebClient.Builder builder) {
        var connections = ConnectionProvider.builder("met-office").build();
        office = builder.baseUrl(Partner.ADDRESS)
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(connections)))
                .build();
    }

    @GetMapping("/")
    Mono<String> report() {
        return office.get()
                .uri("/metar/EDDF")
                .retrieve()
                .bodyToMono(String.class)
                .map(report -> "METAR " + report.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(WeatherApplication.class, arguments);
    }
}
