package florist;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The cold store, whose stems are in a bean that Quarkus locks for all its callers. */
@Path("/cold-store")
public class ColdStore {
    private final Stems stems;
    private final boolean looking;

    ColdStore(Stems stems, @ConfigProperty(name = "cold-store.read", defaultValue = "false") boolean looking) {
        this.stems = stems;
        this.looking = looking;
    }

    @GET
    public String stems() {
        return looking ? stems.look() : stems.count();
    }
}
