package campsite;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Healthy: beavers seen today; films are cut in the background, by the common pool with a long queue of its own. */
final class BeaverWatch {
    public static void main(String[] arguments) {
        for (int film = 0; film < 50_000; film++) {
            CompletableFuture.runAsync(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)));
        }
        Undertow.builder()
                .addHttpListener(Office.PORT, "127.0.0.1")
                .setWorkerThreads(32)
                .setHandler(new BlockingHandler(exchange -> exchange.getResponseSender()
                        .send("beavers: " + Office.ask("/beavers").length())))
                .build()
                .start();
    }
}
