package plants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
        config.setJdbcUrl("jdbc:h2:tcp://127.0.0.1:" + startDatabase() + "/" + ITEMS);
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

    /** The port of a fresh database, which ends with this process. */
    private static String startDatabase() throws IOException {
        var java = ProcessHandle.current().info().command().orElseThrow();
        var classes = System.getProperty("java.class.path");
        var process = new ProcessBuilder(java, "-Xmx64m", "-cp", classes, "plants.NPlusOneQueries", "database")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }

    private static void serveDatabase() throws Exception {
        var server = Server.createTcpServer("-tcpPort", "0").start();
        try (var connection = DriverManager.getConnection("jdbc:h2:" + ITEMS);
                var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS AWAY FOR 'java.lang.Thread.sleep(long)'");
        }
        System.out.println(server.getPort());
        while (System.in.read() >= 0) {
            continue;
        }
        System.exit(0);
    }
}
