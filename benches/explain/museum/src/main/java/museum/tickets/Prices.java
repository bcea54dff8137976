package museum.tickets;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;

class Prices {
    private final Pool accounts;
    private final WebClient friends;
    private final String address = System.getProperty("upstream");

    Prices(Vertx vertx) {
        var database = System.getProperty("stub").split(":");
        accounts = PgBuilder.pool()
                .with(new io.vertx.sqlclient.PoolOptions().setMaxSize(Integer.getInteger("accounts.connections", 5)))
                .connectingTo(new PgConnectOptions()
                        .setHost(database[0])
                        .setPort(Integer.parseInt(database[1]))
                        .setUser("museum")
                        .setPassword("museum")
                        .setDatabase("accounts"))
                .using(vertx)
                .build();
        friends = WebClient.create(vertx, new WebClientOptions(), new PoolOptions().setHttp1MaxSize(200));
    }

    Future<Integer> centsFor(String card) {
        return accounts.withConnection(connection -> tariff(connection)
                .compose(tariff -> friends.getAbs(address + "/cards/" + card)
                        .send()
                        .map(member -> tariff - member.body().length())));
    }

    private static Future<Integer> tariff(SqlConnection connection) {
        return connection
                .query("select tariff from tariffs order by since desc limit 1")
                .execute()
                .map(rows -> 1_200 + rows.size() * 100);
    }
}
