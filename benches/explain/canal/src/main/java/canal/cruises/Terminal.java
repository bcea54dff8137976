package canal.cruises;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** A connection of its own to the booking system, on which a command follows an answer. */
class Terminal {
    private static final URI SYSTEM = URI.create(System.getProperty("upstream"));

    private final HttpClient line =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;

    Terminal(int number) {
        address = SYSTEM.resolve("/terminals/" + number);
    }

    String type(String command) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(address)
                .POST(BodyPublishers.ofString(command))
                .build();
        return line.send(request, BodyHandlers.ofString()).body();
    }
}
