package windmill.orders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The ledger's client as the cooperative hands it out: a call and its answer. */
@Component
class LedgerClient {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI entries;

    LedgerClient(@Value("${upstream}") URI ledger) {
        this.entries = ledger.resolve("/entries");
    }

    String enter(String line) {
        var entry = HttpRequest.newBuilder(entries)
                .POST(BodyPublishers.ofString(line))
                .build();
        try {
            return http.send(entry, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
