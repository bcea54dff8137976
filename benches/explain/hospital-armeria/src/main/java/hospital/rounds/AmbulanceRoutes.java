package hospital.rounds;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.limit.ConcurrencyLimitingClient;
import java.util.concurrent.CompletableFuture;

/** Routes of ambulances, which a planner of the county works out; we promised to ask for no more than 40 at a time. */
public final class AmbulanceRoutes {
    private static CompletableFuture<String> route(WebClient planner, String car) {
        return planner.get("/cars/" + car + "/route")
                .aggregate()
                .thenApply(route -> car + " goes by way of " + route.content().length());
    }

    public static void main(String[] arguments) {
        var planner = Rounds.systems()
                .decorator(ConcurrencyLimitingClient.newDecorator(40))
                .build();
        Rounds.serve("/cars/{car}/route", (context, request) -> Rounds.later(route(planner, context.pathParam("car"))));
    }
}
