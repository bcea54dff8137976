package plimsoll.caller.webclient;

import org.springframework.context.annotation.Profile;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import plimsoll.caller.CallerProperties;
import reactor.core.publisher.Mono;

/** {@code /call} by WebClient: on Netty and on Tomcat alike no thread waits for the upstream. */
@RestController
@Profile("webclient")
class WebClientCallController {

    private final WebClient webClient;
    private final boolean serverTiming;

    WebClientCallController(WebClient webClient, CallerProperties properties) {
        this.webClient = webClient;
        this.serverTiming = properties.serverTiming();
    }

    @GetMapping("/call")
    Mono<ResponseEntity<String>> call() {
        return serverTiming ? Mono.defer(this::timed) : fetch().map(ResponseEntity::ok);
    }

    private Mono<String> fetch() {
        return webClient.get().uri("/").retrieve().bodyToMono(String.class);
    }

    private Mono<ResponseEntity<String>> timed() {
        var times = new CallTimes();
        return fetch().map(body -> {
                    times.took("total");
                    return ResponseEntity.ok()
                            .header("Server-Timing", times.header())
                            .body(body);
                })
                .contextWrite(context -> context.put(CallTimes.class, times));
    }
}
