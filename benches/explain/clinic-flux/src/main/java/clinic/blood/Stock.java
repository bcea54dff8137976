package clinic.blood;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@Repository
class Stock {
    private final JdbcTemplate database;
    private final Scheduler scheduler;

    Stock(JdbcTemplate database, @Value("${stock.elastic:false}") boolean elastic) {
        this.database = database;
        scheduler = elastic ? Schedulers.boundedElastic() : Schedulers.parallel();
    }

    Mono<String> of(String group) {
        return Mono.fromCallable(() -> database.queryForObject(
                        "select count(*) from packs where blood_group = ? and expires > current_date",
                        String.class,
                        group))
                .subscribeOn(scheduler);
    }
}
