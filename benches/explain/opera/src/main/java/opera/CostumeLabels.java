package opera;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;

/** Labels for costumes, by a printer's library that blocks and therefore has a worker thread call it. */
public final class CostumeLabels extends House {
    private static final boolean ANY_ORDER = Boolean.getBoolean("labels.any-order");

    @Override
    void routes(Router router) {
        router.get("/costumes/:costume/label").respond(this::label);
    }

    private Future<String> label(RoutingContext request) {
        var costume = request.pathParam("costume");
        return context.executeBlocking(() -> print(costume), !ANY_ORDER);
    }

    private static String print(String costume) throws IOException {
        try (var answer = PARTNER.resolve("/labels/" + costume).toURL().openStream()) {
            return costume + " printed with " + answer.readAllBytes().length + " dots";
        }
    }

    public static void main(String[] arguments) {
        open(CostumeLabels::new);
    }
}
