package florist;

import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.sql.SQLException;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Subscriptions, in a transaction that keeps its connection of Agroal's while the growers are asked. */
@Path("/subscriptions")
@ApplicationScoped
public class Subscriptions {
    @Inject
    AgroalDataSource ledger;

    @Inject
    @RestClient
    Growers growers;

    @GET
    @Transactional
    public String renew() throws SQLException {
        try (var connection = ledger.getConnection();
                var query = connection.prepareStatement("SELECT 7");
                var rows = query.executeQuery()) {
            rows.next();
            return "subscription " + rows.getInt(1) + " " + growers.stock().length();
        }
    }
}
