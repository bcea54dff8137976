package parcels.notices;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

@RestController
class NoticeController {
    private final WebClient texts;

    NoticeController(WebClient.Builder clients, @Value("${upstream}") String texts) {
        this.texts = clients.baseUrl(texts).build();
    }

    @GetMapping("/notices/{parcel}")
    Mono<String> notice(
            @PathVariable String parcel,
            @RequestHeader(name = HttpHeaders.ACCEPT_LANGUAGE, defaultValue = "en") String language) {
        return texts.get()
                .uri("/texts/{language}", language)
                .retrieve()
                .bodyToMono(String.class)
                .map(text -> text + " (" + parcel + ")");
    }
}
