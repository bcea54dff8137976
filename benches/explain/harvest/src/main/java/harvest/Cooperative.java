package harvest;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** The cooperative's service, by Quarkus' REST client. */
@RegisterRestClient(configKey = "cooperative")
@Path("/")
public interface Cooperative {
    @GET
    @Path("fields/next")
    Uni<String> nextField();

    @GET
    @Path("silos/{silo}")
    Uni<String> silo(@PathParam("silo") int silo);

    @GET
    @Path("prices")
    Uni<String> price(@QueryParam("of") int grade);

    @GET
    @Path("crates/{crate}")
    Uni<String> crate(@PathParam("crate") int crate);

    @GET
    @Path("crates")
    Uni<String> crates(@QueryParam("id") List<Integer> crates);

    @GET
    @Path("combines/{combine}")
    String combine(@PathParam("combine") int combine);
}
