package plants;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** The upstream of the plants, called with no limit on connections. */
final class Upstream {
    static final URI URL = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Upstream() {}

    static String call() throws Exception {
        return CLIENT.send(HttpRequest.newBuilder(URL).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The same on a plain socket: a fork-join pool adds a thread for each that waits for a future, and none for this. */
    static String read() throws IOException {
        try (var body = URL.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
