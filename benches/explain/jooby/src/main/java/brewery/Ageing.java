package brewery;

import com.lmax.disruptor.RingBuffer;
import java.util.concurrent.CompletableFuture;

/** Healthy: a full ring of beers that age, which a thread waits to fill on; no guest waits for them. */
public final class Ageing {
    public static void main(String[] arguments) {
        var ring = Orders.ring("ageing-");
        ring.handleEventsWith((order, sequence, last) -> {
            Thread.sleep(500);
            order.brewed.complete("aged");
        });
        var casks = ring.start();
        var filler = new Thread(() -> fill(casks), "filler");
        filler.setDaemon(true);
        filler.start();
        Brewery.open(() -> "beer " + Brewery.askMaltster().length());
    }

    private static void fill(RingBuffer<Orders.Order> casks) {
        while (true) {
            casks.publishEvent((order, sequence) -> order.brewed = new CompletableFuture<>());
        }
    }
}
