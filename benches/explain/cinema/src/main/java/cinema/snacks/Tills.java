package cinema.snacks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The system behind the tills, which has a licence for so many of them. */
class Tills {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI system;
    private final Semaphore licences;

    Tills(String system, int licences) {
        this.system = URI.create(system);
        this.licences = new Semaphore(licences, true);
    }

    Optional<String> ring(String order) throws IOException, InterruptedException {
        if (!licences.tryAcquire(3, TimeUnit.SECONDS)) {
            return Optional.empty();
        }
        try {
            var request = HttpRequest.newBuilder(system.resolve(order)).build();
            return Optional.of(client.send(request, BodyHandlers.ofString()).body());
        } finally {
            licences.release();
        }
    }
}
