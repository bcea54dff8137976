package library.fines;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class FineService {
    private final JdbcTemplate ledger;

    FineService(JdbcTemplate ledger) {
        this.ledger = ledger;
    }

    @Transactional
    public String pay() {
        int due = ledger.query("SELECT due FROM fine WHERE reader = 7", row -> row.next() ? row.getInt(1) : 0);
        ledger.update("UPDATE fine SET due = 0 WHERE reader = 7");
        return "paid " + due;
    }
}
