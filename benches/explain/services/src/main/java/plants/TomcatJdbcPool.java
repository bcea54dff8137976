package plants;

import org.apache.tomcat.jdbc.pool.DataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;

/** Slow queries to H2 through a Tomcat JDBC pool of 5 connections. */
final class TomcatJdbcPool {
    public static void main(String[] arguments) throws Exception {
        int size = Integer.getInteger("pool", 5);
        var properties = new PoolProperties();
        properties.setUrl("jdbc:h2:mem:stock;DB_CLOSE_DELAY=-1");
        properties.setDriverClassName("org.h2.Driver");
        properties.setMaxActive(size);
        properties.setMaxIdle(size);
        var database = new DataSource(properties);
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS SLOWLY FOR 'java.lang.Thread.sleep(long)'");
        }
        Serve.undertow(Serve.ROOM, path -> {
            try (var connection = database.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("CALL SLOWLY(25)");
                return "found";
            }
        });
    }
}
