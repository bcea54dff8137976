package harvest;

import io.quarkus.redis.datasource.ReactiveRedisDataSource;
import io.quarkus.redis.datasource.value.ReactiveValueCommands;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Prices of the day, from Redis. */
@Path("/prices")
public class Prices {
    private final ReactiveValueCommands<String, String> prices;

    Prices(ReactiveRedisDataSource redis) {
        this.prices = redis.value(String.class);
    }

    @GET
    public Uni<String> price() {
        int grade = ThreadLocalRandom.current().nextInt(1, 30);
        return prices.get("price:" + grade).map(price -> "grade " + grade + " costs " + price);
    }
}
