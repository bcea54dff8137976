package pharmacy.samples;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Results of blood samples, by an executor with threads enough, whose tasks wait for permits of the laboratory. */
@SpringBootApplication
@EnableAsync
@RestController
public class SamplesApplication {
    private final Laboratory laboratory;

    SamplesApplication(Laboratory laboratory) {
        this.laboratory = laboratory;
    }

    @GetMapping("/")
    CompletableFuture<String> result() {
        return laboratory.result().thenApply(result -> "result " + result.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SamplesApplication.class, arguments);
    }
}
