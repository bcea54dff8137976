package opera;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;

/** Tickets that are given back, and what the resale's partner wants for them and its competitor would. */
public final class TicketResale extends House {
    @Override
    void routes(Router router) {
        var resale = partner(Integer.getInteger("resale.connections", PoolOptions.DEFAULT_MAX_POOL_SIZE));
        router.get("/tickets/:ticket/offer").respond(context -> offer(resale, context.pathParam("ticket")));
    }

    private static Future<JsonObject> offer(WebClient resale, String ticket) {
        var ours = resale.get("/offers/" + ticket).send().map(HttpResponse::bodyAsBuffer);
        var theirs = resale.get("/competition/" + ticket).send().map(HttpResponse::bodyAsBuffer);
        return Future.all(ours, theirs).map(both -> lower(ticket, both.resultAt(0), both.resultAt(1)));
    }

    private static JsonObject lower(String ticket, Buffer ours, Buffer theirs) {
        return new JsonObject().put("ticket", ticket).put("price", Math.min(ours.length(), theirs.length()));
    }

    public static void main(String[] arguments) {
        open(TicketResale::new);
    }
}
