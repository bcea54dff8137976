package museum.guide;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Recordings for each work, which the studio's archive sends piece by piece. */
public final class AudioGuide extends VerticleBase {
    private HttpClient archive;

    @Override
    public Future<?> start() {
        archive = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(200));
        var router = Router.router(vertx);
        router.get("/works/:work/recording").handler(this::play);
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(Integer.getInteger("server.port", 8080), "127.0.0.1");
    }

    private void play(RoutingContext context) {
        var recording = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(System.getProperty("upstream") + "/recordings/" + context.pathParam("work"));
        archive.request(recording)
                .compose(HttpClientRequest::send)
                .compose(found -> {
                    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "audio/ogg");
                    return found.pipeTo(context.response().setChunked(true));
                })
                .onFailure(context::fail);
    }

    public static void main(String[] arguments) {
        Vertx.vertx().deployVerticle(new AudioGuide()).onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
    }
}
