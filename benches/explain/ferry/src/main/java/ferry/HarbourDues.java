package ferry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;

/** Dues of a call at a harbour. The authority's gateway loses connections that idle, so that none is kept. */
public final class HarbourDues {
    private final WebClient authority;

    private HarbourDues(Vertx vertx) {
        authority = WebClient.create(
                vertx,
                Quay.partner().setKeepAlive(false),
                new PoolOptions().setHttp1MaxSize(Integer.getInteger("dues.connections", 100)));
    }

    private Future<JsonObject> dues(RoutingContext context) {
        int tonnage = Integer.parseInt(context.pathParam("tonnage"));
        return authority.get("/tariff/" + tonnage / 500).send().map(tariff -> new JsonObject()
                .put("tonnage", tonnage)
                .put("dues", tonnage * tariff.bodyAsString().length() / 100.0));
    }

    public static void main(String[] arguments) {
        var resolver = new AddressResolverOptions()
                .setQueryTimeout(5_000)
                .setCacheMinTimeToLive(Integer.getInteger("resolver.least-seconds", 0));
        var vertx = Vertx.vertx(new VertxOptions().setAddressResolverOptions(resolver));
        Quay.open(vertx, "/dues/:tonnage", new HarbourDues(vertx)::dues);
    }
}
