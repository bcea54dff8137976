package bakery.stamps;

import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Entries for the auditors, each sealed upon the one before: they stay even if the rest is rolled back. */
@Repository
class Journal {
    private final JdbcTemplate jdbc;

    Journal(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void write(int card, String what) {
        var before = jdbc.query(
                        "SELECT seal FROM journal WHERE card = ? ORDER BY at DESC LIMIT 1",
                        (row, index) -> row.getString(1),
                        card)
                .get(0);
        int seal = Objects.hash(before, card, what);
        jdbc.update("INSERT INTO journal (card, what, seal, at) VALUES (?, ?, ?, CURRENT_TIMESTAMP)", card, what, seal);
        jdbc.update("UPDATE journal_day SET entries = entries + 1 WHERE day = CURRENT_DATE");
    }
}
