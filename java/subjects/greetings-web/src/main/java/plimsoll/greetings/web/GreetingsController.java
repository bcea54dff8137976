package plimsoll.greetings.web;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import plimsoll.greetings.Greeter;
import plimsoll.greetings.GreetingsProperties;

/** Greets after a wait that holds the request's thread, platform or virtual, as blocking I/O would. */
@RestController
class GreetingsController {

    private final Greeter greeter;
    private final GreetingsProperties properties;

    GreetingsController(Greeter greeter, GreetingsProperties properties) {
        this.greeter = greeter;
        this.properties = properties;
    }

    @GetMapping(path = "/greetings", produces = "text/plain;charset=UTF-8")
    String greet(@RequestParam(defaultValue = "World") String name) throws InterruptedException {
        Thread.sleep(properties.pause());
        return greeter.greet(name);
    }
}
