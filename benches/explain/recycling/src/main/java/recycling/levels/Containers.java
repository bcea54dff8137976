package recycling.levels;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The table of containers. */
class Containers {
    private final DataSource database;

    Containers() {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + System.getProperty("stub")
                + "/yard?sslmode=disable&gssEncMode=disable&preferQueryMode=simple");
        config.setMaximumPoolSize(20);
        database = new HikariDataSource(config);
    }

    String lastReading(String container) throws SQLException {
        try (var connection = database.getConnection();
                var query = connection.prepareStatement("select reading from readings where container = ? limit 1")) {
            query.setString(1, container);
            try (var rows = query.executeQuery()) {
                return rows.next() ? rows.getString(1) : "";
            }
        }
    }
}
