package railway.luggage;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

class Finds {
    private final HikariDataSource database = new HikariDataSource();

    Finds(String database) {
        this.database.setJdbcUrl(
                "jdbc:postgresql://" + database + "/luggage?sslmode=disable&gssEncMode=disable&preferQueryMode=simple");
    }

    String stationOf(String label) throws SQLException {
        return read("select station from finds where label = ?", label);
    }

    String likeliestOwner(String description) throws SQLException {
        return read("select owner from losses order by description <-> ? limit 1", description);
    }

    private String read(String query, String given) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(query)) {
            statement.setString(1, given);
            try (var rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : "none";
            }
        }
    }
}
