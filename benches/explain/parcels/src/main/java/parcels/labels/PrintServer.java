package parcels.labels;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

@Service
class PrintServer {
    private final WebClient printer;
    private final Bulkhead bulkhead;
    private final Retry whenFull = Retry.backoff(1000, Duration.ofMillis(10))
            .maxBackoff(Duration.ofMillis(60))
            .jitter(0.5)
            .filter(BulkheadFullException.class::isInstance);

    PrintServer(
            WebClient.Builder clients,
            @Value("${upstream}") String printer,
            @Value("${labels.bulkhead.max-concurrent-calls:5}") int most) {
        this.printer = clients.baseUrl(printer).build();
        var limits = BulkheadConfig.custom()
                .maxConcurrentCalls(most)
                .writableStackTraceEnabled(false)
                .build();
        bulkhead = Bulkhead.of("print-server", limits);
    }

    Mono<String> label(String parcel) {
        return printer.post()
                .uri("/labels")
                .bodyValue(parcel)
                .retrieve()
                .bodyToMono(String.class)
                .transformDeferred(BulkheadOperator.of(bulkhead))
                .retryWhen(whenFull);
    }
}

@RestController
class LabelController {
    private final PrintServer printer;

    LabelController(PrintServer printer) {
        this.printer = printer;
    }

    @GetMapping("/")
    Mono<String> label() {
        return printer.label("^XA^FO50,50^ADN,36,20^FDParcel 4711^FS^XZ").map(label -> "printed " + label.length());
    }
}
