package plimsoll.greetings.reactive;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Answers at once, as soon as requests are served. */
@RestController
class ReadyController {

    @GetMapping(path = "/ready", produces = "text/plain;charset=UTF-8")
    Mono<String> ready() {
        return Mono.just("ready");
    }
}
