package plants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.Executors;

/** Queries that an executor of many threads makes, over a pool of few connections. */
final class AsyncHikari {
    public static void main(String[] arguments) throws Exception {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:audit;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(Integer.getInteger("pool", 10));
        var database = new HikariDataSource(config);
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS SLOWLY FOR 'java.lang.Thread.sleep(long)'");
        }
        var executor = Executors.newFixedThreadPool(Integer.getInteger("threads", 16));
        Serve.jdk(path -> executor.submit(() -> {
                    try (var connection = database.getConnection();
                            var statement = connection.createStatement()) {
                        statement.execute("CALL SLOWLY(50)");
                        return "found";
                    }
                })
                .get());
    }
}
