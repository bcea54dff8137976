package florist;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.context.ManagedExecutor;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Healthy: a full bulkhead, which refuses the nightly import only; the stalls that are asked for have workers left. */
@Path("/markets")
@ApplicationScoped
public class Markets {
    @Inject
    @RestClient
    Growers growers;

    @Inject
    Imports imports;

    @ConfigProperty(name = "markets.imports", defaultValue = "0")
    int importers;

    void start(@Observes StartupEvent event, ManagedExecutor workers) {
        for (int importer = 0; importer < importers; importer++) {
            workers.execute(this::keepImporting);
        }
    }

    private void keepImporting() {
        while (true) {
            try {
                imports.fetch(300);
            } catch (BulkheadException e) {
                Imports.pause(20);
            }
        }
    }

    @GET
    public String stalls() {
        return "stalls " + growers.stock().length();
    }

    /** Imports of the night, two at once. */
    @ApplicationScoped
    public static class Imports {
        @Bulkhead(2)
        public void fetch(long milliseconds) {
            pause(milliseconds);
        }

        static void pause(long milliseconds) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
