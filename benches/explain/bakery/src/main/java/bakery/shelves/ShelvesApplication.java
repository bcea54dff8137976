package bakery.shelves;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Rests on the shelves; limited by the database, which works on few statements at once. The pool is full of them. */
@SpringBootApplication(
        exclude = {
            DataJpaRepositoriesAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class,
            JettyServletWebServerAutoConfiguration.class
        })
@RestController
public class ShelvesApplication {
    private final JdbcClient jdbc;

    ShelvesApplication(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/")
    String left() {
        int shelf = ThreadLocalRandom.current().nextInt(90);
        int loaves = jdbc.sql("SELECT SUM(baked) - SUM(sold) FROM movement WHERE shelf = ? AND day = CURRENT_DATE")
                .param(shelf)
                .query((row, index) -> row.getInt(1))
                .single();
        return loaves + " loaves on shelf " + shelf;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ShelvesApplication.class, arguments);
    }
}
