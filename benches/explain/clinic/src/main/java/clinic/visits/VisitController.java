package clinic.visits;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class VisitController {
    private static final String LATEST = "select note from visits where patient = ? order by day desc limit 1";

    private final JdbcTemplate visits;

    VisitController(JdbcTemplate visits) {
        this.visits = visits;
    }

    @GetMapping("/patients/{patient}/visits/latest")
    Visit latest(@PathVariable long patient) {
        return new Visit(patient, visits.queryForObject(LATEST, String.class, patient));
    }

    record Visit(long patient, String note) {}
}
