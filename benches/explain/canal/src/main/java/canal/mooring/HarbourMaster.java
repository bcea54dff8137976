package canal.mooring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/** The office that knows the length of each ship, by a protocol from the days of HttpURLConnection. */
class HarbourMaster {
    private static final int CENTS_PER_METRE = 140;

    private final URI office = URI.create(System.getProperty("upstream"));

    int tariffOf(String ship) {
        try (var body = office.resolve(ship).toURL().openStream()) {
            return body.readAllBytes().length * CENTS_PER_METRE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
