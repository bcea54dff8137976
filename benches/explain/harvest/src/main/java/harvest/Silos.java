package harvest;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Value of the grain in a silo: its level first, then the price of that grade. */
@Path("/silos")
public class Silos {
    private final Cooperative cooperative;

    Silos(@RestClient Cooperative cooperative) {
        this.cooperative = cooperative;
    }

    @GET
    public Uni<String> worth() {
        int silo = ThreadLocalRandom.current().nextInt(40);
        return cooperative
                .silo(silo)
                .chain(level -> cooperative.price(level.length() % 9).map(price -> level.length() * price.length()))
                .ifNoItem()
                .after(Duration.ofSeconds(5))
                .fail()
                .map(worth -> "silo " + silo + " is worth " + worth);
    }
}
