package harvest;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Records of the harvest, by the reactive client for PostgreSQL. */
@Path("/records")
public class Records {
    private final Pool database;

    Records(Pool database) {
        this.database = database;
    }

    @GET
    public Uni<String> tons() {
        return database.query("SELECT text FROM records ORDER BY day DESC LIMIT 1")
                .execute()
                .map(rows -> rows.iterator().next().getString(0))
                .map(record -> "record: " + record);
    }
}
