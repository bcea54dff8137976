package florist;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.context.ManagedExecutor;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Flowers for funerals, by a ManagedExecutor that takes few at once off its queue. */
@Path("/funerals")
public class Funerals {
    private final ManagedExecutor hands;
    private final Growers growers;

    Funerals(@RestClient Growers growers, @ConfigProperty(name = "funerals.hands", defaultValue = "4") int hands) {
        this.growers = growers;
        this.hands = ManagedExecutor.builder().maxAsync(hands).maxQueued(1_000).build();
    }

    @GET
    public CompletionStage<String> order() {
        return hands.supplyAsync(() -> "funeral " + growers.stock().length());
    }
}
