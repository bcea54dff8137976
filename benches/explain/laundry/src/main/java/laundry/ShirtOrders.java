package laundry;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import org.apache.catalina.startup.Tomcat;

/** Orders of shirts, on Tomcat; limited by the connections that it accepts, kept below those of the database. */
final class ShirtOrders extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient HikariDataSource database;

    private ShirtOrders(HikariDataSource database) {
        this.database = database;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (var connection = database.getConnection();
                var query = connection.prepareStatement("SELECT shirts FROM orders WHERE number = 17");
                var found = query.executeQuery()) {
            found.next();
            response.getWriter().println("shirts: " + found.getInt(1));
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        var settings = new HikariConfig();
        settings.setJdbcUrl("jdbc:ledger:" + System.getProperty("upstream"));
        settings.setMaximumPoolSize(24);
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/laundry-" + Counter.PORT);
        tomcat.setPort(Counter.PORT);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxConnections", System.getProperty("shirts.connections", "8"));
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "shirts", new ShirtOrders(new HikariDataSource(settings)));
        context.addServletMappingDecoded("/*", "shirts");
        tomcat.start();
    }
}
