package sawmill;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.Executors;

/** Healthy: stock of the yard, on virtual threads and a pool of HikariCP with room for twice the users. */
final class Stockpile {
    public static void main(String[] arguments) throws Exception {
        var settings = new HikariConfig();
        settings.setJdbcUrl("jdbc:ledger:" + Sawmill.EXCHANGE);
        settings.setMaximumPoolSize(16);
        var pool = new HikariDataSource(settings);
        Sawmill.jdk(Executors.newVirtualThreadPerTaskExecutor(), () -> {
            try (var connection = pool.getConnection();
                    var query = connection.prepareStatement("SELECT sum(logs) FROM pile");
                    var rows = query.executeQuery()) {
                return "logs " + (rows.next() ? rows.getInt(1) : 0);
            }
        });
    }
}
