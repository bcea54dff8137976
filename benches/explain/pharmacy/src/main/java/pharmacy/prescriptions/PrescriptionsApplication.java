package pharmacy.prescriptions;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Prescriptions of a customer, by Tomcat's 200 threads, which share the few connections of a Hikari pool. */
@SpringBootApplication
@RestController
public class PrescriptionsApplication {
    private static final String OPEN = "SELECT refills FROM prescription WHERE customer = ? AND open = 1";

    private final JdbcTemplate jdbc;

    PrescriptionsApplication(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/")
    String open(@RequestParam(defaultValue = "7") int customer) {
        int refills = jdbc.query(OPEN, row -> row.next() ? row.getInt(1) : 0, customer);
        return "refills left: " + refills;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PrescriptionsApplication.class, arguments);
    }
}
