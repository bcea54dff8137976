package plimsoll.greetings.reactive;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import plimsoll.greetings.Greeter;
import plimsoll.greetings.GreetingsProperties;
import reactor.core.publisher.Mono;

/** Greets after a wait that holds no thread. */
@RestController
class GreetingsController {

    private final Greeter greeter;
    private final GreetingsProperties properties;

    GreetingsController(Greeter greeter, GreetingsProperties properties) {
        this.greeter = greeter;
        this.properties = properties;
    }

    @GetMapping(path = "/greetings", produces = "text/plain;charset=UTF-8")
    Mono<String> greet(@RequestParam(defaultValue = "World") String name) {
        return Mono.delay(properties.pause()).map(elapsed -> greeter.greet(name));
    }
}
