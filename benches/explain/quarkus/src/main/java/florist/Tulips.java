package florist;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Tulips on the event loop, without a thread that waits: the growers serve few at once, and the others queue there. */
@Path("/tulips")
public class Tulips {
    private final Growers growers;

    Tulips(@RestClient Growers growers) {
        this.growers = growers;
    }

    @GET
    public Uni<String> cut() {
        return growers.stockLater().map(stock -> "tulips " + stock.length());
    }
}
