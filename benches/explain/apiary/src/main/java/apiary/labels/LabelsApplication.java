package apiary.labels;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Healthy: labels that the CPU draws by design, on Reactor's threads for computation, of which each CPU has one. */
@SpringBootApplication
@RestController
public class LabelsApplication {
    @GetMapping("/")
    Mono<String> label() {
        return Mono.fromCallable(this::draw).subscribeOn(Schedulers.parallel());
    }

    private String draw() {
        var seal = new CRC32C();
        var rows = new StringBuilder();
        for (int row = 0; row < 300; row++) {
            rows.setLength(0);
            for (int column = 0; column < 100; column++) {
                rows.append((row * column) % 7 == 0 ? '#' : '.').append(row ^ column);
            }
            seal.update(rows.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
        return "label " + seal.getValue();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LabelsApplication.class, arguments);
    }
}
