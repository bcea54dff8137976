package airport.passports;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Passports on WebFlux, behind a filter that looks the officer's key up, and blocks the event loop meanwhile. */
@SpringBootApplication
@RestController
public class PassportsApplication {
    @GetMapping("/")
    Mono<String> passport() {
        return Mono.just("passport valid");
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PassportsApplication.class, arguments);
    }
}
