package orchard;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.limit.ConcurrencyLimitingClient;

/** Healthy: reports of the harvest queue for a client that asks one at a time, and no request waits for one. */
public final class Harvest {
    private static final int REPORTERS = 6;

    public static void main(String[] arguments) {
        var reports = Orchard.market()
                .decorator(ConcurrencyLimitingClient.newDecorator(1))
                .build();
        for (int reporter = 0; reporter < REPORTERS; reporter++) {
            report(reports);
        }
        var market = Orchard.market().build();
        Orchard.server()
                .service(
                        "/", (context, request) -> Orchard.later(market.get("/").aggregate()))
                .build()
                .start()
                .join();
    }

    /** One report after the other, for ever. */
    private static void report(WebClient reports) {
        reports.get("/").aggregate().whenComplete((done, failure) -> report(reports));
    }
}
