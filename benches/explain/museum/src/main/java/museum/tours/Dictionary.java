package museum.tours;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/** The translators' service, by their own library, which waits for each answer. */
class Dictionary {
    private final URI translators = URI.create(System.getProperty("upstream"));

    String translated(String text) {
        try (var body = translators.resolve("/words/" + text.length()).toURL().openStream()) {
            return text + new String(body.readAllBytes()).length();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
