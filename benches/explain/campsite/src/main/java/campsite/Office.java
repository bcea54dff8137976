package campsite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The campsite's office, which knows all and is asked by the JDK's own client; and the address to serve at. */
final class Office {
    static final String URL = System.getProperty("upstream", "http://127.0.0.1:9");
    static final int PORT = Integer.getInteger("server.port", 8080);

    private Office() {}

    static String ask(String question) {
        try (var answer = URI.create(URL).resolve(question).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static InetSocketAddress here() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
    }
}
