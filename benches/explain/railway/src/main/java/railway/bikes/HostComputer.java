package railway.bikes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class HostComputer {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;

    HostComputer(String address) {
        this.address = URI.create(address);
    }

    int spaces(String train) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(address.resolve("/bikes/" + train)).build();
        return client.send(request, BodyHandlers.ofString()).body().length() / 12;
    }
}
