package apiary.swarms;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Calls about swarms: after a moment for corrections, a delay's threads for computation wait for the fire brigade. */
@SpringBootApplication
@RestController
public class SwarmsApplication {
    private final URI brigade;

    SwarmsApplication(@Value("${upstream}") URI brigade) {
        this.brigade = brigade;
    }

    @GetMapping("/")
    Mono<String> report() {
        return Mono.just("swarm in the old lime tree")
                .delayElement(Duration.ofMillis(5))
                .flatMap(swarm -> Mono.fromCallable(() -> forward(swarm)))
                .map(answer -> "reported " + answer.length());
    }

    private String forward(String swarm) throws IOException {
        var connection = brigade.resolve("/swarms").toURL().openConnection();
        connection.setDoOutput(true);
        connection.getOutputStream().write(swarm.getBytes(StandardCharsets.UTF_8));
        try (var answer = connection.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SwarmsApplication.class, arguments);
    }
}
