package greenhouse;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Handler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Helidon's server, a virtual thread for each connection, and the station that it asks. */
final class House {
    static final URI STATION = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private House() {}

    static WebServerConfig.Builder server() {
        return WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.getInteger("server.port", 8080))
                .backlog(1_000);
    }

    static void open(Handler page) {
        server().routing(routing -> routing.get("/", page)).build().start();
    }

    static String ask(String what) {
        try {
            var request = HttpRequest.newBuilder(STATION.resolve("/" + what)).build();
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new IllegalStateException("the station does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
