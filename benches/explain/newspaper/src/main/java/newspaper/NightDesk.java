package newspaper;

import com.alibaba.druid.pool.DruidDataSource;
import java.sql.SQLException;

/** Healthy: a pool of Druid with two connections, for which only the night desk's threads queue. */
public final class NightDesk {
    public static void main(String[] arguments) {
        var proofs = new DruidDataSource();
        proofs.setDriverClassName("org.ledgerdb.jdbc.LedgerDriver");
        proofs.setUrl("jdbc:ledger:" + Newspaper.AGENCY);
        proofs.setTestWhileIdle(false);
        proofs.setMaxActive(2);
        for (int number = 1; number <= 8; number++) {
            var desk = new Thread(() -> read(proofs), "night-desk-" + number);
            desk.setDaemon(true);
            desk.start();
        }
        Newspaper.open(() -> "issue " + Newspaper.askAgency().length());
    }

    private static void read(DruidDataSource proofs) {
        while (true) {
            try (var connection = proofs.getConnection();
                    var query = connection.prepareStatement("SELECT text FROM proofs")) {
                query.executeQuery();
                Thread.sleep(150);
            } catch (SQLException e) {
                System.err.println("no proof: " + e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
