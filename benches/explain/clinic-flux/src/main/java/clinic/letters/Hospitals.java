package clinic.letters;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

@Component
class Hospitals {
    private final Tokens tokens;
    private final WebClient network;

    Hospitals(WebClient.Builder clients, Tokens tokens, @Value("${upstream}") String network) {
        this.tokens = tokens;
        this.network = clients.baseUrl(network).filter(this::signed).build();
    }

    Mono<String> letter(String number) {
        return network.get().uri("/letters/{number}", number).retrieve().bodyToMono(String.class);
    }

    private Mono<ClientResponse> signed(ClientRequest request, ExchangeFunction next) {
        return next.exchange(ClientRequest.from(request)
                .header(HttpHeaders.AUTHORIZATION, "Bearer " + tokens.current())
                .build());
    }
}
