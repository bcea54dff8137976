package florist;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Deliveries as a Uni, whose supplier blocks the event loop while the carrier's old library asks for the next van. */
@Path("/deliveries")
public class Deliveries {
    @ConfigProperty(name = "quarkus.rest-client.growers.url")
    URI carrier;

    @ConfigProperty(name = "deliveries.on-workers", defaultValue = "false")
    boolean onWorkers;

    @GET
    public Uni<String> next() {
        var van = Uni.createFrom().item(this::van);
        return onWorkers ? van.runSubscriptionOn(Infrastructure.getDefaultWorkerPool()) : van;
    }

    private String van() {
        try (var body = carrier.toURL().openStream()) {
            return "van " + new String(body.readAllBytes(), StandardCharsets.UTF_8).length();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
