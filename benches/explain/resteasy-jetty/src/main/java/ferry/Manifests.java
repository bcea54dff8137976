package ferry;

import org.vibur.dbcp.ViburDBCPDataSource;

/** Manifests of cargo from a database, by Vibur with few connections. */
public final class Manifests {
    public static void main(String[] arguments) throws Exception {
        var manifests = manifests(Integer.getInteger("manifests.pool", 4));
        Ferry.open(() -> {
            try (var connection = manifests.getConnection();
                    var query = connection.prepareStatement("SELECT weight FROM cargo WHERE ship = ?")) {
                query.setInt(1, 12);
                var rows = query.executeQuery();
                return "tons " + (rows.next() ? rows.getInt(1) : 0);
            }
        });
    }

    private static ViburDBCPDataSource manifests(int connections) {
        var pool = new ViburDBCPDataSource();
        pool.setDriverClassName("org.ledgerdb.jdbc.LedgerDriver");
        pool.setJdbcUrl("jdbc:ledger:" + Ferry.HARBOUR);
        pool.setUsername("purser");
        pool.setPassword("");
        pool.setPoolInitialSize(connections);
        pool.setPoolMaxSize(connections);
        pool.setConnectionTimeoutInMs(20_000);
        pool.start();
        return pool;
    }
}
