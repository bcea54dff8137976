package plants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** An order whose items are selected one by one, from a database that is some milliseconds away. */
final class NPlusOneQueries {
    public static void main(String[] arguments) throws Exception {
        int queries = Integer.getInteger("queries", 15);
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:items;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(Serve.ROOM);
        config.setMinimumIdle(0);
        var database = new HikariDataSource(config);
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS AWAY FOR 'java.lang.Thread.sleep(long)'");
        }
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
}
