package lighthouse;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;

/** Tide tables over HTTP/2: one connection, on which a limit of the client's allows few streams at once. */
public final class TideTables {
    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        var options = Harbour.office()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2MultiplexingLimit(Integer.getInteger("tides.streams", 4));
        var office = WebClient.create(vertx, options, new PoolOptions().setHttp2MaxSize(1));
        Harbour.serve(
                vertx,
                4,
                request -> office.get("/tides")
                        .send()
                        .map(HttpResponse::bodyAsString)
                        .map(tides -> "tides " + tides.length()));
    }
}
