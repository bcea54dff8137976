package cinema.credits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

class Distributor {
    private final URI address;

    Distributor(String address) {
        this.address = URI.create(address);
    }

    String credits(String film) {
        try (var body = address.resolve("/credits/" + film).toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
