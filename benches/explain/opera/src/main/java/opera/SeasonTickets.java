package opera;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;

/** Season tickets, which a far office keeps: the holder, then the holder's seat, then the next evening for the seat. */
public final class SeasonTickets extends House {
    @Override
    void routes(Router router) {
        var office = partner(500);
        router.get("/season-tickets/:number").respond(context -> ticket(office, context.pathParam("number")));
    }

    private static Future<JsonObject> ticket(WebClient office, String number) {
        return ask(office, "/holders/" + number)
                .compose(holder -> ask(office, "/seats/" + holder))
                .compose(seat -> ask(office, "/evenings/" + seat))
                .map(evening -> new JsonObject().put("number", number).put("evening", evening));
    }

    private static Future<Integer> ask(WebClient office, String path) {
        return office.get(path).send().map(HttpResponse::bodyAsString).map(String::length);
    }

    public static void main(String[] arguments) {
        open(SeasonTickets::new);
    }
}
