package observatory;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.db.ManagedDataSource;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Stars from a database, by Dropwizard's pool, whose settings allow few connections. */
public final class StarCatalogue extends Observatory {
    /** The stars. */
    @Path("/")
    public record Stars(DataSource catalogue) {
        @GET
        public String star() throws SQLException {
            try (var connection = catalogue.getConnection();
                    var query = connection.prepareStatement("SELECT brightness FROM star WHERE number = ?")) {
                query.setInt(1, 424);
                var rows = query.executeQuery();
                return "magnitude " + (rows.next() ? rows.getInt(1) : 0);
            }
        }
    }

    @Override
    Object resource(Settings settings, Environment environment) {
        settings.catalogue.setUrl("jdbc:ledger:" + DOME);
        ManagedDataSource catalogue = settings.catalogue.build(environment.metrics(), "catalogue");
        environment.lifecycle().manage(catalogue);
        return new Stars(catalogue);
    }

    public static void main(String[] arguments) throws Exception {
        open(new StarCatalogue());
    }
}
