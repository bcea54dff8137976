package florist;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** The growers' service, by Quarkus' REST client. */
@RegisterRestClient(configKey = "growers")
@Path("/")
public interface Growers {
    @GET
    String stock();

    @GET
    Uni<String> stockLater();
}
