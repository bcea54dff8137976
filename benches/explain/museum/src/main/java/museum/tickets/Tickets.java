package museum.tickets;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.Map;

/** Tickets, whose price depends on who asks: members' cards are with the friends of the museum. */
public final class Tickets extends VerticleBase {
    @Override
    public Future<?> start() {
        var prices = new Prices(vertx);
        var router = Router.router(vertx);
        router.get("/tickets/:card").respond(context -> {
            var card = context.pathParam("card");
            return prices.centsFor(card).map(cents -> new JsonObject(Map.of("card", card, "cents", cents)));
        });
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(new Tickets()).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }
}
