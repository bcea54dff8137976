package campsite;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.apache.tomcat.jdbc.pool.DataSource;

/** Menu of the camp's kitchen; limited by a query for each dish, one after the other. */
final class CampKitchen extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int[] DISHES = IntStream.rangeClosed(1, 10).toArray();

    private final transient DataSource database = new DataSource();

    CampKitchen() {
        database.setDriverClassName("org.ledgerdb.jdbc.LedgerDriver");
        database.setUrl("jdbc:ledger:" + Office.URL);
        database.setMaxActive(50);
        database.setMaxIdle(50);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (var connection = database.getConnection()) {
            int prices = Boolean.getBoolean("kitchen.join") ? all(connection) : eachDish(connection);
            response.getWriter().println("menu of " + DISHES.length + " dishes, " + prices);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static int eachDish(Connection connection) throws SQLException {
        int prices = 0;
        for (int dish : DISHES) {
            try (var query = connection.prepareStatement("SELECT price FROM ingredients WHERE dish = ?")) {
                query.setInt(1, dish);
                try (var row = query.executeQuery()) {
                    prices += row.next() ? row.getInt(1) : 0;
                }
            }
        }
        return prices;
    }

    private static int all(Connection connection) throws SQLException {
        try (var query = connection.prepareStatement("SELECT dish, sum(price) FROM ingredients GROUP BY dish");
                var rows = query.executeQuery()) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Pages.serve(new CampKitchen(), null, true);
    }
}
