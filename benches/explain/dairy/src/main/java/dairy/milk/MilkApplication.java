package dairy.milk;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Tests of milk, on virtual threads; limited by the connections of a pool of Tomcat JDBC. */
@SpringBootApplication
@RestController
public class MilkApplication {
    private static final String FAT = "SELECT fat FROM milk_test WHERE farm = ? ORDER BY taken DESC LIMIT 1";

    private final JdbcTemplate jdbc;

    MilkApplication(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/")
    String fat(@RequestParam(defaultValue = "12") int farm) {
        return "fat " + jdbc.query(FAT, row -> row.next() ? row.getInt(1) : 0, farm);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(MilkApplication.class, arguments);
    }
}
