package ferry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;

/** Boarding lists: a verticle of the border police's checks takes names from the event bus, as many as it has room for. */
public final class BoardingLists {
    private static final String ADDRESS = "border.checks";

    private static Future<JsonObject> board(Vertx vertx, RoutingContext context) {
        var passport = new JsonObject().put("passport", context.pathParam("passport"));
        return vertx.eventBus()
                .<JsonObject>request(ADDRESS, passport, new DeliveryOptions().setSendTimeout(60_000))
                .map(Message::body);
    }

    private static final class BorderChecks extends VerticleBase {
        private final int window = Integer.getInteger("border.window", 3);
        private MessageConsumer<JsonObject> names;
        private WebClient police;

        @Override
        public Future<?> start() {
            police = Quay.partnerClient(vertx);
            names = vertx.eventBus()
                    .consumer(new MessageConsumerOptions().setAddress(ADDRESS).setMaxBufferedMessages(10_000));
            names.pause();
            names.handler(this::check);
            names.fetch(window);
            return names.completion();
        }

        private void check(Message<JsonObject> name) {
            police.get("/persons/" + name.body().getString("passport"))
                    .send()
                    .onSuccess(answer -> name.reply(name.body().put("cleared", answer.statusCode() == 200)))
                    .onFailure(cause -> name.fail(503, cause.getMessage()))
                    .onComplete(done -> names.fetch(1));
        }
    }

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        vertx.deployVerticle(new BorderChecks())
                .onSuccess(deployed -> Quay.open(vertx, "/boarding/:passport", context -> board(vertx, context)))
                .onFailure(Throwable::printStackTrace);
    }
}
