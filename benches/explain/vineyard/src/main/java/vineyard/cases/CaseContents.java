package vineyard.cases;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

record Bottle(String label) {}

@Repository
class CaseContents {
    private final DatabaseClient database;
    private final boolean joined;

    CaseContents(DatabaseClient database, @Value("${cases.joined:false}") boolean joined) {
        this.database = database;
        this.joined = joined;
    }

    Flux<Bottle> bottles(int number) {
        var places = IntStream.range(0, 12).map(place -> number * 12 + place).boxed();
        if (joined) {
            return bottle("in (" + places.map(String::valueOf).collect(Collectors.joining(", ")) + ")");
        }
        return Flux.fromStream(places).concatMap(id -> bottle("= " + id));
    }

    private Flux<Bottle> bottle(String condition) {
        return database.sql("select label from bottles where id " + condition)
                .map(row -> new Bottle(row.get(0, String.class)))
                .all();
    }
}

@RestController
class CaseController {
    private final CaseContents contents;

    CaseController(CaseContents contents) {
        this.contents = contents;
    }

    @GetMapping("/cases/{number}")
    Mono<List<Bottle>> bottles(@PathVariable int number) {
        return contents.bottles(number).collectList();
    }
}
