package orchard;

import com.linecorp.armeria.server.throttling.ThrottlingService;
import com.linecorp.armeria.server.throttling.ThrottlingStrategy;

/** The gate, which refuses more than so many carts a second by Armeria's throttling. */
public final class Toll {
    public static void main(String[] arguments) {
        int rate = Integer.getInteger("toll.carts-per-second", 120);
        var market = Orchard.market().build();
        Orchard.server()
                .service(
                        "/", (context, request) -> Orchard.later(market.get("/").aggregate()))
                .decorator(ThrottlingService.newDecorator(ThrottlingStrategy.rateLimiting(rate)))
                .build()
                .start()
                .join();
    }
}
