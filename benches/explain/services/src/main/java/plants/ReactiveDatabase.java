package plants;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.Connection;
import java.sql.DriverManager;
import org.h2.tools.Server;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;

/** Reactor Netty that asks a database by R2DBC through a small pool: no thread waits for a connection of it. */
public final class ReactiveDatabase {
    private static final String ORDERS = "mem:orders";

    private ReactiveDatabase() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            serveDatabase();
            return;
        }
        var database = new PostgresqlConnectionFactory(PostgresqlConnectionConfiguration.builder()
                .host("127.0.0.1")
                .port(Beside.start(ReactiveDatabase.class))
                .database(ORDERS)
                .username("sa")
                .password("sa")
                .build());
        var pool = new ConnectionPool(ConnectionPoolConfiguration.builder(database)
                .initialSize(0)
                .maxSize(Integer.getInteger("pool", 6))
                .build());
        HttpServer.create()
                .port(Serve.PORT)
                .handle((request, response) -> response.sendString(
                        Mono.usingWhen(pool.create(), ReactiveDatabase::find, Connection::close)))
                .bindNow()
                .onDispose()
                .block();
    }

    private static Mono<String> find(Connection connection) {
        var orders = Mono.from(connection.createStatement("SELECT AWAY(20)").execute());
        return orders.flatMap(found -> Mono.from(found.map((row, columns) -> "found")));
    }

    /** H2 as PostgreSQL's clients know it. */
    private static void serveDatabase() throws Exception {
        var settings = ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;DB_CLOSE_DELAY=-1";
        try (var connection = DriverManager.getConnection("jdbc:h2:" + ORDERS + settings, "sa", "sa");
                var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS AWAY FOR 'plants.ReactiveDatabase.away'");
        }
        Beside.serve(Server.createPgServer("-pgPort", "0").start().getPort());
    }

    /** Called by H2. */
    public static int away(int ms) throws InterruptedException {
        Thread.sleep(ms);
        return ms;
    }
}
