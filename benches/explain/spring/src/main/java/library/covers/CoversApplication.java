package library.covers;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Covers on WebFlux, fetched by a library that waits, on the scheduler that is meant for it and is small here. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class CoversApplication {
    private final URI archive = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    @GetMapping("/")
    Mono<String> cover() {
        return Mono.fromCallable(this::fetch)
                .subscribeOn(Schedulers.boundedElastic())
                .map(cover -> "cover of " + cover.length());
    }

    private String fetch() throws IOException {
        try (var cover = archive.resolve("/cover").toURL().openStream()) {
            return new String(cover.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(CoversApplication.class, arguments);
    }
}
