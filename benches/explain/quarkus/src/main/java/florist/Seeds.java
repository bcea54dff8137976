package florist;

import io.smallrye.faulttolerance.api.RateLimit;
import io.smallrye.faulttolerance.api.RateLimitException;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Seeds, by the bag: SmallRye's RateLimit refuses those above so many a second. */
@Path("/seeds")
public class Seeds {
    private final Growers growers;

    Seeds(@RestClient Growers growers) {
        this.growers = growers;
    }

    @GET
    @RateLimit(value = 60)
    public Uni<String> bag() {
        return growers.stockLater().map(stock -> "seeds " + stock.length());
    }

    @ServerExceptionMapper
    public Response tooMany(RateLimitException e) {
        return Response.status(Response.Status.TOO_MANY_REQUESTS).build();
    }
}
