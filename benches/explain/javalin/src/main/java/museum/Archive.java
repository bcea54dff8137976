package museum;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import java.beans.PropertyVetoException;
import javax.sql.DataSource;

/** The archive's index in a database, by c3p0 with few connections. */
public final class Archive {
    public static void main(String[] arguments) throws PropertyVetoException {
        var index = index(Integer.getInteger("archive.pool", 5));
        Museum.open(() -> {
            try (var connection = index.getConnection();
                    var query = connection.prepareStatement("SELECT shelf FROM document WHERE id = ?")) {
                query.setInt(1, 1887);
                var rows = query.executeQuery();
                return "on shelf " + (rows.next() ? rows.getInt(1) : 0);
            }
        });
    }

    private static DataSource index(int connections) throws PropertyVetoException {
        var pool = new ComboPooledDataSource();
        pool.setDriverClass("org.ledgerdb.jdbc.LedgerDriver");
        pool.setJdbcUrl("jdbc:ledger:" + Museum.DEPOT);
        pool.setInitialPoolSize(connections);
        pool.setMinPoolSize(connections);
        pool.setMaxPoolSize(connections);
        return pool;
    }
}
