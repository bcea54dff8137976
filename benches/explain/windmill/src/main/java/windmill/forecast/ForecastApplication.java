package windmill.forecast;

import io.netty.resolver.DefaultAddressResolverGroup;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** The wind of the next hours, by a weather service whose address changes: looked up as the JVM does, each time. */
@SpringBootApplication
public class ForecastApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ForecastApplication.class, arguments);
    }

    @Bean
    WebClient weather(WebClient.Builder clients, @Value("${upstream}") String weather) {
        var http = HttpClient.newConnection().resolver(DefaultAddressResolverGroup.INSTANCE);
        return clients.baseUrl(weather)
                .clientConnector(new ReactorClientHttpConnector(http))
                .build();
    }
}

@RestController
class ForecastController {
    private final WebClient weather;

    ForecastController(WebClient weather) {
        this.weather = weather;
    }

    @GetMapping("/")
    Mono<String> wind() {
        return weather.get()
                .uri("/wind?hours=6")
                .header("Connection", "close")
                .retrieve()
                .bodyToMono(String.class)
                .map(wind -> "wind of " + wind.length() + " knots");
    }
}
