package vets.vaccinations;

import java.time.LocalDate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class VaccinationController {
    private static final Logger LOG = LoggerFactory.getLogger(VaccinationController.class);

    private final JdbcClient records;
    private final JdbcClient reporting;

    VaccinationController(JdbcClient records, @Qualifier("reportingClient") JdbcClient reporting) {
        this.records = records;
        this.reporting = reporting;
    }

    @GetMapping("/animals/{animal}/vaccinations")
    VaccinationCard card(@PathVariable long animal) {
        var vaccine = records.sql(
                        "select vaccine from vaccinations where animal = " + animal + " order by day desc limit 1")
                .query(String.class)
                .single();
        return new VaccinationCard(animal, vaccine, LocalDate.of(2026, 1, 1).plusDays(animal % 365));
    }

    @EventListener(ApplicationReadyEvent.class)
    void countForReport() {
        var counted = reporting
                .sql("select count(*)::text from vaccinations")
                .query(String.class)
                .single();
        LOG.info("{} vaccinations in this year's report", counted);
    }
}
