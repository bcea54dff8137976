package cinema.seats;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** The firm that takes the money. */
class Payments {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;

    Payments(String address) {
        this.address = URI.create(address);
    }

    int open(String seat) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(address.resolve("/payments?for=" + seat)).build();
        return client.send(request, BodyHandlers.ofString()).body().length();
    }
}
