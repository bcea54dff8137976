package bakery.stamps;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Cards with stamps, each change of which is in the journal, whether it went well or not. */
@Repository
class StampCards {
    private final JdbcTemplate jdbc;
    private final Journal journal;

    StampCards(JdbcTemplate jdbc, Journal journal) {
        this.jdbc = jdbc;
        this.journal = journal;
    }

    @Transactional
    public String stamp(int card) {
        int stamps = jdbc.query("SELECT stamps FROM card WHERE number = ?", (row, index) -> row.getInt(1), card)
                .get(0);
        journal.write(card, "stamp");
        jdbc.update("UPDATE card SET stamps = ? WHERE number = ?", (stamps + 1) % 10, card);
        return stamps % 10 == 9 ? "this loaf is free" : "stamps: " + (stamps + 1);
    }
}
