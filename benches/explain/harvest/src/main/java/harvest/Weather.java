package harvest;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Healthy: what weather the next field has; the archive is written meanwhile, by all connections of the database. */
@Path("/weather")
public class Weather {
    private final Cooperative cooperative;

    Weather(@RestClient Cooperative cooperative) {
        this.cooperative = cooperative;
    }

    @GET
    public Uni<String> dry() {
        return cooperative.nextField().map(field -> "dry for " + field.length() + " minutes");
    }

    /** Copies the records of past years, as fast as the database allows. */
    @Singleton
    public static class Archive {
        @ConfigProperty(name = "archive.copies", defaultValue = "0")
        int copies;

        void start(@Observes StartupEvent event, Pool database) {
            for (int copy = 0; copy < copies; copy++) {
                Multi.createBy()
                        .repeating()
                        .uni(() -> database.query("SELECT text FROM records").execute())
                        .indefinitely()
                        .onFailure()
                        .retry()
                        .indefinitely()
                        .subscribe()
                        .with(rows -> {});
            }
        }
    }
}
