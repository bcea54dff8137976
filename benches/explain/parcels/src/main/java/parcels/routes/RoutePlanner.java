package parcels.routes;

import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

@Service
class RoutePlanner {
    private final WebClient planner;

    RoutePlanner(WebClient.Builder clients, @Value("${upstream}") String planner) {
        var connections = ConnectionProvider.builder("planner")
                .maxConnections(24)
                .pendingAcquireMaxCount(500)
                .pendingAcquireTimeout(Duration.ofSeconds(10))
                .build();
        this.planner = clients.baseUrl(planner)
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(connections)))
                .build();
    }

    Mono<Route> route(String van) {
        return planner.get()
                .uri("/routes/{van}", van)
                .retrieve()
                .bodyToMono(String.class)
                .timeout(Duration.ofSeconds(8))
                .map(plan -> new Route(van, List.of("Mill Lane", "Quay 3", "Church Square"), plan.length()));
    }

    record Route(String van, List<String> stops, int minutes) {}
}

@RestController
class RouteController {
    private final RoutePlanner planner;

    RouteController(RoutePlanner planner) {
        this.planner = planner;
    }

    @GetMapping("/vans/{van}/route")
    Mono<RoutePlanner.Route> route(@PathVariable String van) {
        return planner.route(van);
    }
}
