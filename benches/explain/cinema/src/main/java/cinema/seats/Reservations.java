package cinema.seats;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

class Reservations {
    private final HikariDataSource database = new HikariDataSource();
    private final Payments payments;

    Reservations(String database, Payments payments) {
        this.payments = payments;
        this.database.setJdbcUrl(
                "jdbc:postgresql://" + database + "/cinema?sslmode=disable&gssEncMode=disable&preferQueryMode=simple");
        var connections = Integer.getInteger("seats.connections");
        if (connections != null) {
            this.database.setMaximumPoolSize(connections);
        }
    }

    Reservation reserve(String show) throws SQLException, IOException, InterruptedException {
        try (var connection = database.getConnection()) {
            var seat = read(connection, "select seat from seats where free and show = ? limit 1", show);
            int payment = payments.open(seat);
            read(connection, "update seats set free = false where seat = ? returning seat", seat);
            return new Reservation(seat, payment);
        }
    }

    private static String read(Connection connection, String query, String given) throws SQLException {
        try (var statement = connection.prepareStatement(query)) {
            statement.setString(1, given);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    record Reservation(String seat, int payment) {}
}
