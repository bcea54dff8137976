package vineyard.vintages;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

record Note(int vintage, String text) {}

@Repository
class VintageNotes {
    private final DatabaseClient database;

    VintageNotes(DatabaseClient database) {
        this.database = database;
    }

    /** Reads in all of a vintage's tastings, which takes the database a while. */
    Mono<Note> of(int vintage) {
        return database.sql("select string_agg(text, ' ') from tastings where vintage = " + vintage)
                .map(row -> new Note(vintage, row.get(0, String.class)))
                .one();
    }
}

@RestController
class VintageController {
    private final VintageNotes notes;

    VintageController(VintageNotes notes) {
        this.notes = notes;
    }

    @GetMapping("/vintages/{vintage}/notes")
    Mono<Note> notes(@PathVariable int vintage) {
        return notes.of(vintage);
    }
}
