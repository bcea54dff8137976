package library.recommendations;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Recommendations from two shelves that are asked side by side, on the common pool, since no executor is named. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class RecommendationsApplication {
    private final RestClient shelves = RestClient.builder()
            .requestFactory(new SimpleClientHttpRequestFactory())
            .baseUrl(System.getProperty("upstream", "http://127.0.0.1:9"))
            .build();

    @GetMapping("/")
    String recommend() {
        var asked = List.of("novels", "science").stream()
                .map(shelf -> CompletableFuture.supplyAsync(() -> ask(shelf)))
                .toList();
        return asked.stream().map(CompletableFuture::join).collect(Collectors.joining(", "));
    }

    private String ask(String shelf) {
        return shelf + " "
                + shelves.get().uri("/" + shelf).retrieve().body(String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(RecommendationsApplication.class, arguments);
    }
}
