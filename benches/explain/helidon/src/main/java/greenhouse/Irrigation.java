package greenhouse;

import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.concurrent.Semaphore;

/** A filter that lets few requests water at once, as there is only so much pressure. */
public final class Irrigation {
    private final Semaphore valves = new Semaphore(Integer.getInteger("irrigation.valves", 6), true);

    public static void main(String[] arguments) {
        var irrigation = new Irrigation();
        House.server()
                .routing(routing -> routing.addFilter(irrigation::underPressure)
                        .get(
                                "/",
                                (request, response) -> response.send(
                                        "watered " + House.ask("water").length())))
                .build()
                .start();
    }

    private void underPressure(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        valves.acquireUninterruptibly();
        try {
            chain.proceed();
        } finally {
            valves.release();
        }
    }
}
