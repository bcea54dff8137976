package ferry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;

/** Quotes for a crossing: the fare of the season from the database, with the surcharge for fuel of today. */
public final class FareDesk {
    private final Pool database;
    private final WebClient fuelMarket;

    private FareDesk(Vertx vertx) {
        database = Quay.database(vertx, Integer.getInteger("fares.connections", 4));
        fuelMarket = Quay.partnerClient(vertx);
    }

    /** One connection for the whole quote, so that both of its statements see the same season. */
    private Future<JsonObject> quote(RoutingContext context) {
        var route = context.pathParam("route");
        return database.withConnection(connection -> seasonFare(connection, route)
                .compose(fare -> surcharge().map(percent -> new JsonObject()
                        .put("route", route)
                        .put("fare", fare)
                        .put("surcharge", percent)
                        .put("currency", "EUR")))
                .compose(quote -> remember(connection, quote)));
    }

    private Future<String> seasonFare(SqlConnection connection, String route) {
        return connection
                .query("SELECT fare FROM season WHERE route = " + route.hashCode())
                .execute()
                .map(rows -> rows.iterator().next().getString(0));
    }

    private Future<Integer> surcharge() {
        return fuelMarket.get("/gasoil/today").send().map(answer -> answer.bodyAsString().length() % 20);
    }

    private Future<JsonObject> remember(SqlConnection connection, JsonObject quote) {
        return connection
                .query("SELECT remember_quote(" + quote.getInteger("surcharge") + ")")
                .execute()
                .map(quote);
    }

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        Quay.open(vertx, "/quotes/:route", new FareDesk(vertx)::quote);
    }
}
