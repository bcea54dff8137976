package florist;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Wreaths, of which a bulkhead of MicroProfile's fault tolerance lets few be tied at once, and refuses the others. */
@Path("/wreaths")
public class Wreaths {
    private final Growers growers;

    Wreaths(@RestClient Growers growers) {
        this.growers = growers;
    }

    @GET
    @Bulkhead(4)
    public String tie() {
        return "wreath " + growers.stock().length();
    }

    @ServerExceptionMapper
    public Response full(BulkheadException e) {
        return Response.status(Response.Status.SERVICE_UNAVAILABLE).build();
    }
}
