package plants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Slow queries to H2 through a HikariCP of 4 connections. */
final class HikariPool {
    public static void main(String[] arguments) throws Exception {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(Integer.getInteger("pool", 4));
        var database = new HikariDataSource(config);
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS SLOWLY FOR 'java.lang.Thread.sleep(long)'");
        }
        Serve.tomcat(path -> {
            try (var connection = database.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("CALL SLOWLY(20)");
                return "found";
            }
        });
    }
}
