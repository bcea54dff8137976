package harvest;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** The field that is to be cut next, for members. */
@Path("/fields")
@Members
public class Fields {
    private final Cooperative cooperative;

    Fields(@RestClient Cooperative cooperative) {
        this.cooperative = cooperative;
    }

    @GET
    public Uni<String> next() {
        return cooperative.nextField().map(field -> "next field " + field.length());
    }
}
