package tickets;

import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;

/** Sales of the day from PostgreSQL, by the client of Vert.x, whose pool has four connections as it is. */
public final class BoxOfficeSales {
    public static void main(String[] arguments) {
        var vertx = Box.vertx();
        var store = System.getProperty("stub", "127.0.0.1:5432").split(":");
        var sales = PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(Integer.getInteger("sales.pool", PoolOptions.DEFAULT_MAX_SIZE)))
                .connectingTo(new PgConnectOptions()
                        .setHost(store[0])
                        .setPort(Integer.parseInt(store[1]))
                        .setUser("office")
                        .setPassword("")
                        .setDatabase("sales"))
                .using(vertx)
                .build();
        Box.serve(
                vertx,
                router -> router.get("/")
                        .handler(context -> Box.answer(
                                context,
                                sales.query("SELECT sum(price) FROM sale")
                                        .execute()
                                        .map(rows ->
                                                "sold " + rows.iterator().next().getString(0)))));
    }
}
