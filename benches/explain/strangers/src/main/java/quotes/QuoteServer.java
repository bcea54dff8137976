package quotes;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import support.Backend;
import support.Plain;

/** Quotes by the JDK's asynchronous client, each with its insurance: a call that blocks, in the next stage. */
public final class QuoteServer {
    private static final boolean OWN_THREADS = Boolean.getBoolean("quotes.own-threads");

    public static void main(String[] arguments) throws IOException {
        var client = HttpClient.newHttpClient();
        var request = HttpRequest.newBuilder(Backend.ADDRESS).build();
        Executor own = Executors.newFixedThreadPool(100);
        Plain.serve(150, () -> {
            var quote = client.sendAsync(request, BodyHandlers.ofString());
            var insured = OWN_THREADS
                    ? quote.thenApplyAsync(found -> insure(found.body()), own)
                    : quote.thenApply(found -> insure(found.body()));
            return insured.get();
        });
    }

    private static String insure(String quote) {
        return "quote " + quote.length() + " and " + Backend.fetch().length();
    }
}
