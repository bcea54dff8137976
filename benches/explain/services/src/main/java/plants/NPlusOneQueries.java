package plants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import org.h2.tools.Server;

/** An order whose items are selected one by one, from a database in another process that is some milliseconds away. */
final class NPlusOneQueries {
    private static final String ITEMS = "mem:items;DB_CLOSE_DELAY=-1";

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            serveDatabase();
            return;
        }
        int queries = Integer.getInteger("queries", 15);
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:tcp://127.0.0.1:" + Beside.start(NPlusOneQueries.class) + "/" + ITEMS);
        config.setMaximumPoolSize(Serve.ROOM);
        config.setMinimumIdle(0);
        var database = new HikariDataSource(config);
        Serve.tomcat(path -> {
            try (var connection = database.getConnection();
                    var statement = connection.prepareStatement("CALL AWAY(3)")) {
                for (int item = 0; item < queries; item++) {
                    statement.execute();
                }
                return "found";
            }
        });
    }

    private static void serveDatabase() throws Exception {
        var server = Server.createTcpServer("-tcpPort", "0").start();
        try (var connection = DriverManager.getConnection("jdbc:h2:" + ITEMS);
                var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS AWAY FOR 'java.lang.Thread.sleep(long)'");
        }
        Beside.serve(server.getPort());
    }
}
