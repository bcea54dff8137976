package ski.passes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lift passes, checked for the gates by virtual threads, which share the connections of Hikari's pool as it is. */
@SpringBootApplication(exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
@RestController
public class PassesApplication {
    private final JdbcClient jdbc;

    PassesApplication(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/")
    String check(@RequestParam(defaultValue = "4711") int pass) {
        int rides = jdbc.sql("SELECT rides FROM pass WHERE number = ?")
                .param(pass)
                .query((row, number) -> row.getInt(1))
                .single();
        return "rides left: " + rides;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PassesApplication.class, arguments);
    }
}
