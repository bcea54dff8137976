package orchard;

import com.linecorp.armeria.client.limit.ConcurrencyLimitingClient;

/** The price of cider from the market, by a client that a decorator lets ask a few at once. */
public final class Cider {
    public static void main(String[] arguments) {
        int atOnce = Integer.getInteger("cider.at-once", 5);
        var market = Orchard.market()
                .decorator(ConcurrencyLimitingClient.newDecorator(atOnce))
                .build();
        Orchard.server()
                .service(
                        "/", (context, request) -> Orchard.later(market.get("/").aggregate()))
                .build()
                .start()
                .join();
    }
}
