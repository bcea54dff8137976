package railway;

import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.japi.function.Function;

/** Fares from another service by Pekko's client, as asynchronously as can be; its pool is that of the configuration. */
public final class Fares {
    public static void main(String[] arguments) {
        var system = ActorSystem.create("railway");
        Function<HttpRequest, CompletionStage<HttpResponse>> fares = request -> fare(system);
        Http.get(system).newServerAt("127.0.0.1", Departures.PORT).bind(fares);
    }

    static CompletionStage<HttpResponse> fare(ActorSystem system) {
        return Http.get(system)
                .singleRequest(HttpRequest.create(Departures.STATION + "/"))
                .thenCompose(found -> found.entity().toStrict(10_000, system))
                .thenApply(found -> HttpResponse.create()
                        .withEntity("fare " + found.getData().size()));
    }
}
