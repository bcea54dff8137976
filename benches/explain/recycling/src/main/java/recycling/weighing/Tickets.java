package recycling.weighing;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The table of tickets, asked on threads that may wait. */
@Repository
class Tickets {
    private final Scheduler threads = Schedulers.newBoundedElastic(40, 10_000, "jdbc");
    private final JdbcTemplate database;

    Tickets(JdbcTemplate database) {
        this.database = database;
    }

    Mono<String> material(long ticket) {
        return Mono.fromCallable(() ->
                        database.queryForObject("select material from tickets where number = " + ticket, String.class))
                .subscribeOn(threads);
    }
}
