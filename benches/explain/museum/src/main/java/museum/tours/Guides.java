package museum.tours;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Asks for a text and has it translated as soon as it is here. */
class Guides {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI texts;
    private final Dictionary dictionary;

    Guides(String texts, Dictionary dictionary) {
        this.texts = URI.create(texts);
        this.dictionary = dictionary;
    }

    CompletableFuture<String> text(String tour) {
        var request = HttpRequest.newBuilder(texts.resolve(tour)).build();
        return client.sendAsync(request, BodyHandlers.ofString())
                .thenApply(HttpResponse::body)
                .thenApply(dictionary::translated);
    }
}
