package florist;

import io.quarkus.arc.Lock;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.context.ManagedExecutor;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Healthy: gardeners on Quarkus' workers who wait for a bean's lock; who asks is served by the event loop. */
@Path("/greenhouse")
@ApplicationScoped
public class Greenhouse {
    @Inject
    @RestClient
    Growers growers;

    @Inject
    Watering watering;

    @ConfigProperty(name = "greenhouse.gardeners", defaultValue = "0")
    int gardeners;

    void start(@Observes StartupEvent event, ManagedExecutor workers) {
        for (int gardener = 0; gardener < gardeners; gardener++) {
            workers.execute(() -> {
                while (true) {
                    watering.water();
                }
            });
        }
    }

    @GET
    public Uni<String> rows() {
        return growers.stockLater().map(stock -> "rows " + stock.length());
    }

    /** The one can, which its bean's lock keeps for a gardener. */
    @ApplicationScoped
    @Lock
    public static class Watering {
        public void water() {
            try {
                Thread.sleep(150);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
