package bakery;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The mill, asked by a client that waits. */
@Singleton
final class Mill {
    private final URI address = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    String ask(String what) {
        try (var body = address.resolve("/" + what).toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the mill does not answer", e);
        }
    }
}
