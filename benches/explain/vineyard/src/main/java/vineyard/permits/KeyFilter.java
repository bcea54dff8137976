package vineyard.permits;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The association's library for keys, which all its members use. */
@Component
class Association {
    private final RestClient http;

    Association(RestClient.Builder clients, @Value("${upstream}") String association) {
        http = clients.baseUrl(association)
                .requestFactory(new JdkClientHttpRequestFactory())
                .build();
    }

    boolean knows(String key) {
        return http.get()
                .uri("/keys/{key}", key)
                .retrieve()
                .toBodilessEntity()
                .getStatusCode()
                .is2xxSuccessful();
    }
}

@Component
class KeyFilter implements WebFilter {
    private final Association association;
    private final boolean elastic;

    KeyFilter(Association association, @Value("${permits.elastic:false}") boolean elastic) {
        this.association = association;
        this.elastic = elastic;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        var key = exchange.getRequest().getQueryParams().getFirst("key");
        var known = Mono.fromCallable(() -> association.knows(key));
        return (elastic ? known.subscribeOn(Schedulers.boundedElastic()) : known)
                .flatMap(yes -> yes ? chain.filter(exchange) : forbid(exchange));
    }

    private static Mono<Void> forbid(ServerWebExchange exchange) {
        exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
        return exchange.getResponse().setComplete();
    }
}

@RestController
class PermitController {
    @GetMapping("/permits/{parcel}")
    Mono<String> permit(@PathVariable String parcel) {
        return Mono.just("parcel " + parcel + " may be pressed after the first of October");
    }
}
