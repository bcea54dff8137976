package exports;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import support.Backend;
import support.Pages;

/** Healthy: an export in the background keeps a small pool of connections in demand, and no request needs one. */
public final class NightlyExport {
    public static void main(String[] arguments) throws Exception {
        var config = new HikariConfig();
        config.setPoolName("export");
        config.setJdbcUrl("jdbc:ledger:" + Backend.ADDRESS);
        config.setMaximumPoolSize(3);
        var archive = new HikariDataSource(config);
        for (int worker = 0; worker < 6; worker++) {
            var thread = new Thread(() -> export(archive), "export-" + worker);
            thread.setDaemon(true);
            thread.start();
        }
        var server = new Server(new QueuedThreadPool(100));
        var connector = new ServerConnector(server);
        connector.setPort(Backend.PORT);
        server.addConnector(connector);
        server.setHandler(new Pages(Backend::fetch));
        server.start();
    }

    private static void export(HikariDataSource archive) {
        while (!archive.isClosed()) {
            try (var connection = archive.getConnection();
                    var page = connection.prepareStatement("SELECT * FROM sale WHERE id > ? LIMIT 500")) {
                page.executeQuery().next();
                Thread.sleep(120);
            } catch (SQLException | InterruptedException e) {
                System.err.println("export: " + e);
            }
        }
    }
}
