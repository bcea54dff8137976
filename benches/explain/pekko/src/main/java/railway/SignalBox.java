package railway;

import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.japi.function.Function;

/** Healthy: an actor with 10,000 messages takes one thread of the dispatcher all day, and nobody waits for it. */
public final class SignalBox {
    private static final class Signalman extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Integer.class, train -> Thread.sleep(400))
                    .build();
        }
    }

    public static void main(String[] arguments) {
        var system = ActorSystem.create("railway");
        var signalman = system.actorOf(Props.create(Signalman.class, Signalman::new));
        for (int train = 0; train < 10_000; train++) {
            signalman.tell(train, signalman);
        }
        Function<HttpRequest, CompletionStage<HttpResponse>> fares = request -> Fares.fare(system);
        Http.get(system).newServerAt("127.0.0.1", Departures.PORT).bind(fares);
    }
}
