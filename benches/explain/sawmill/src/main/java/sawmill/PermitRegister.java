package sawmill;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Register of permits over a connection that is opened once, and guarded as connections are not made for threads. */
final class PermitRegister {
    private static final String URL = "jdbc:ledger:" + Sawmill.EXCHANGE;

    private final boolean connectionPerThread = Boolean.getBoolean("permits.connection-per-thread");
    private final Connection shared = open();
    private final ThreadLocal<Connection> own = ThreadLocal.withInitial(PermitRegister::open);

    int permits(int district) throws SQLException {
        if (connectionPerThread) {
            return count(own.get(), district);
        }
        synchronized (this) {
            return count(shared, district);
        }
    }

    private static int count(Connection connection, int district) throws SQLException {
        try (var query = connection.prepareStatement("SELECT count(*) FROM permit WHERE district = ?")) {
            query.setInt(1, district);
            try (var rows = query.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }

    private static Connection open() {
        try {
            return DriverManager.getConnection(URL);
        } catch (SQLException e) {
            throw new IllegalStateException("no register", e);
        }
    }
}
