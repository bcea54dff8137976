package recycling.sensors;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.net.URI;
import java.sql.SQLException;
import javax.sql.DataSource;
import recycling.levels.Yard;

/** Batteries of the sensors in bins, asked of the radio network; the past is copied in the background. */
public final class BinSensors extends Yard {
    private static final int MONTHS = 3_000;
    private static final DataSource PAST = past();

    private static DataSource past() {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + System.getProperty("stub")
                + "/past?sslmode=disable&gssEncMode=disable&preferQueryMode=simple");
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    @Override
    protected void routes(Router router) {
        var radio = radio();
        router.get("/bins/:bin/battery")
                .respond(context -> radio.get("/sensors/" + context.pathParam("bin"))
                        .send()
                        .map(answer -> new JsonObject()
                                .put("percent", answer.bodyAsString().length() % 100)));
        copy(vertx.createSharedWorkerExecutor("past", 8));
    }

    private WebClient radio() {
        var address = URI.create(System.getProperty("upstream"));
        var options = new WebClientOptions().setDefaultHost(address.getHost()).setDefaultPort(address.getPort());
        return WebClient.create(vertx, options);
    }

    private static void copy(WorkerExecutor workers) {
        for (int i = 0; i < MONTHS; i++) {
            int month = i;
            workers.executeBlocking(() -> readings(month), false);
        }
    }

    private static String readings(int month) throws SQLException {
        try (var connection = PAST.getConnection();
                var query = connection.createStatement();
                var rows = query.executeQuery("select readings from past where month = " + month)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    public static void main(String[] arguments) {
        start(BinSensors::new);
    }
}
