package ferry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.Pool;

/** Free places on a deck, in lane metres and for cabins, from the company's database. */
public final class DeckInventory {
    private final Pool database;

    private DeckInventory(Vertx vertx) {
        database = Quay.database(vertx, Integer.getInteger("inventory.connections", 40));
    }

    private Future<JsonObject> free(RoutingContext context) {
        var sailing = context.pathParam("sailing");
        return database.query("SELECT metres FROM deck WHERE sailing = " + sailing.hashCode())
                .execute()
                .map(rows -> {
                    var decks = new JsonObject().put("sailing", sailing);
                    int deck = 3;
                    for (var row : rows) {
                        decks.put("deck " + deck++, row.getString(0));
                    }
                    return decks;
                });
    }

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        Quay.open(vertx, "/sailings/:sailing/decks", new DeckInventory(vertx)::free);
    }
}
