package laundry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Patterns for the ironing robot; limited by pinned threads, as a library in C calls back for their bytes. */
final class IroningPatterns {
    private static final boolean FETCH_FIRST = Boolean.getBoolean("patterns.fetch-first");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final HttpRequest SHIRT =
            HttpRequest.newBuilder(URI.create(System.getProperty("upstream"))).build();

    public static void main(String[] arguments) throws Exception {
        Counter.serve(
                Executors.newVirtualThreadPerTaskExecutor(),
                () -> "folds " + NativeReader.read(source()).length());
    }

    private static Supplier<String> source() {
        if (FETCH_FIRST) {
            var pattern = fetch();
            return () -> pattern;
        }
        return IroningPatterns::fetch;
    }

    private static String fetch() {
        try {
            return CLIENT.send(SHIRT, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
