package laundry;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;

/** Levels of soap in the dispensers; limited by the DNS, which metrics ask for their collector at each request. */
final class SoapLevels {
    public static void main(String[] arguments) throws Exception {
        var metrics = new Metrics(System.getProperty("metrics.host", "localhost"));
        Undertow.builder()
                .addHttpListener(Counter.PORT, "127.0.0.1")
                .setWorkerThreads(100)
                .setHandler(new BlockingHandler(exchange -> {
                    long began = System.nanoTime();
                    var level = Counter.ask("/dispensers/3");
                    metrics.time("soap.level", System.nanoTime() - began);
                    exchange.getResponseSender().send("ml " + level.length());
                }))
                .build()
                .start();
    }
}
