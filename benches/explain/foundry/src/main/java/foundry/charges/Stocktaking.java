package foundry.charges;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.annotation.PreDestroy;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Counts the heaps of scrap, heap by heap and again, on the two connections that the accounts have left. */
@Component
class Stocktaking {
    private static final int HEAPS = 8;

    private final HikariDataSource accounts = new HikariDataSource();
    private final JdbcClient stock = JdbcClient.create(accounts);

    Stocktaking(@Value("${upstream}") String database) {
        accounts.setDriverClassName("org.ledgerdb.jdbc.LedgerDriver");
        accounts.setJdbcUrl("jdbc:ledger:" + database);
        accounts.setMaximumPoolSize(2);
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int heap = 0; heap < HEAPS; heap++) {
            int counted = heap;
            var counting = new Thread(() -> count(counted), "stocktaking-" + heap);
            counting.setDaemon(true);
            counting.start();
        }
    }

    private void count(int heap) {
        while (!accounts.isClosed()) {
            stock.sql("select kilograms from heaps where heap = ?")
                    .param(heap)
                    .query((row, number) -> row.getString(1))
                    .single();
        }
    }

    @PreDestroy
    void close() {
        accounts.close();
    }
}
