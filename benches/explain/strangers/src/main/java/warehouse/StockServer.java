package warehouse;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import support.Backend;

/** Reserves an item: a transaction that is open while another service is asked for the price. */
public final class StockServer {
    private final DataSource stock;

    private StockServer(DataSource stock) {
        this.stock = stock;
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        System.setProperty("http.maxConnections", "200");
        var config = new HikariConfig();
        config.setPoolName("stock");
        config.setJdbcUrl("jdbc:ledger:" + Backend.ADDRESS);
        config.setMaximumPoolSize(Integer.getInteger("stock.pool", 5));
        var warehouse = new StockServer(new HikariDataSource(config));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Backend.PORT), 500);
        server.setExecutor(Executors.newFixedThreadPool(200));
        server.createContext("/", warehouse::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = reserve().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (SQLException e) {
            exchange.sendResponseHeaders(503, -1);
        }
    }

    private String reserve() throws SQLException {
        try (var connection = stock.getConnection();
                var update = connection.prepareStatement("UPDATE item SET reserved = reserved + 1 WHERE id = ?")) {
            connection.setAutoCommit(false);
            update.setInt(1, 4711);
            update.executeUpdate();
            var price = Backend.fetch();
            connection.commit();
            return "reserved for " + price.length();
        }
    }
}
