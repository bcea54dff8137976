package florist;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Bouquets, by a method that blocks a thread of Quarkus' worker pool, which is small. */
@Path("/bouquets")
public class Bouquets {
    private final Growers growers;

    Bouquets(@RestClient Growers growers) {
        this.growers = growers;
    }

    @GET
    public String bind() {
        return "bouquet " + growers.stock().length();
    }
}
