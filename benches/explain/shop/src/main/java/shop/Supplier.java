package shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The shop's supplier, asked by the JDK's own client, which keeps http.maxConnections connections. */
public final class Supplier {
    public static final URI ADDRESS = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    private Supplier() {}

    public static String ask(String path) {
        try (var body = ADDRESS.resolve(path).toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
