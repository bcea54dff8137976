package railway;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** Departures from a service that is asked in the handler itself, so that a thread of the default dispatcher waits. */
public final class Departures {
    static final URI STATION = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    static final int PORT = Integer.getInteger("server.port", 8080);

    public static void main(String[] arguments) {
        var system = ActorSystem.create("railway");
        Http.get(system)
                .newServerAt("127.0.0.1", PORT)
                .bindSync(request -> HttpResponse.create().withEntity("departures " + ask()));
    }

    private static int ask() throws IOException {
        try (var body = STATION.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8).length();
        }
    }
}
