package aquarium.records;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Records of animals; limited by few connections to the database, for which all of Tomcat's threads wait. */
@SpringBootApplication
@RestController
public class RecordsApplication {
    private final JdbcTemplate jdbc;

    RecordsApplication(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/")
    String animal(@RequestParam(defaultValue = "12") int number) {
        return jdbc.query(
                        "SELECT species FROM animal WHERE number = ?",
                        (row, index) -> "species " + row.getString(1).length(),
                        number)
                .get(0);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(RecordsApplication.class, arguments);
    }
}
