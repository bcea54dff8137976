package brewery.fermentation;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import jakarta.annotation.PreDestroy;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The brewers' journal, from which statistics are made all day, on the one connection that the archive allows. */
@Component
class Journal {
    private static final int TANKS = 6;

    private final ComboPooledDataSource archive = new ComboPooledDataSource();
    private final JdbcClient entries = JdbcClient.create(archive);

    Journal(@Value("${stub}") String database) {
        archive.setJdbcUrl(
                "jdbc:postgresql://" + database + "/journal?sslmode=disable&gssEncMode=disable&preferQueryMode=simple");
        archive.setUser("brewer");
        archive.setInitialPoolSize(1);
        archive.setMinPoolSize(1);
        archive.setMaxPoolSize(1);
    }

    @EventListener(ApplicationReadyEvent.class)
    void evaluate() {
        for (int tank = 0; tank < TANKS; tank++) {
            var statistics = new Thread(this::evaluateAll, "statistics-" + tank);
            statistics.setDaemon(true);
            statistics.start();
        }
    }

    private void evaluateAll() {
        long letters = 0;
        while (letters < Long.MAX_VALUE / 2) {
            letters += entries.sql("select entry from journal")
                    .query(String.class)
                    .single()
                    .length();
        }
    }

    @PreDestroy
    void close() {
        archive.close();
    }
}
