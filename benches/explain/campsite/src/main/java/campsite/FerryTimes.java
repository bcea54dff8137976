package campsite;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;

/** Times of the ferry to the campsite; limited by nothing here: the harbour takes its time, for one as for all. */
final class FerryTimes {
    public static void main(String[] arguments) {
        Undertow.builder()
                .addHttpListener(Office.PORT, "127.0.0.1")
                .setWorkerThreads(80)
                .setHandler(new BlockingHandler(exchange -> exchange.getResponseSender()
                        .send("next ferry: " + Office.ask("/ferries/next").length())))
                .build()
                .start();
    }
}
