package plants.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Slow queries by JdbcTemplate, on MVC or on WebFlux, where they block the event loop unless they are offloaded. */
@SpringBootApplication(scanBasePackages = "none")
@RestController
public class SpringDatabase {
    private final JdbcTemplate database;

    SpringDatabase(JdbcTemplate database) {
        this.database = database;
        database.execute("CREATE ALIAS IF NOT EXISTS SLOWLY FOR 'java.lang.Thread.sleep(long)'");
    }

    @GetMapping("/")
    String query() {
        database.execute("CALL SLOWLY(20)");
        return "found";
    }

    @GetMapping("/reactive")
    Mono<String> reactive() {
        return Boolean.getBoolean("offload")
                ? Mono.fromCallable(this::query).subscribeOn(Schedulers.boundedElastic())
                : Mono.just(query());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SpringDatabase.class, arguments);
    }
}
