package parcels.records;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

@Service
class ParcelRecords {
    private final DatabaseClient database;
    private final WebClient carrier;

    ParcelRecords(DatabaseClient database, WebClient.Builder clients, @Value("${upstream}") String carrier) {
        this.database = database;
        this.carrier = clients.baseUrl(carrier).build();
    }

    /** The row stays locked until the other carrier has said yes. */
    @Transactional
    public Mono<String> handOver(int number) {
        return state(number)
                .flatMap(state -> carrier.post()
                        .uri("/parcels/{number}", number)
                        .bodyValue(state)
                        .retrieve()
                        .bodyToMono(String.class))
                .map(receipt -> number + ": " + receipt.length());
    }

    private Mono<String> state(int number) {
        return database.sql("select state from parcels where number = " + number + " for update")
                .map(row -> row.get(0, String.class))
                .one();
    }
}

@RestController
class RecordController {
    private final ParcelRecords records;

    RecordController(ParcelRecords records) {
        this.records = records;
    }

    @GetMapping("/")
    Mono<String> handOver() {
        return records.handOver(4711);
    }
}
