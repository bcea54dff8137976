package brewery;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders on a ring of LMAX's Disruptor, off which few brewers take them in turn. */
public final class Orders {
    static final class Order {
        CompletableFuture<String> brewed;
    }

    public static void main(String[] arguments) {
        int brewers = Integer.getInteger("orders.brewers", 2);
        var ring = ring("brewer-");
        for (int number = 0; number < brewers; number++) {
            int mine = number;
            ring.handleEventsWith((order, sequence, last) -> {
                if (sequence % brewers == mine) {
                    order.brewed.complete("brewed " + Brewery.askMaltster().length());
                }
            });
        }
        var orders = ring.start();
        Brewery.open(() -> {
            var brewed = new CompletableFuture<String>();
            orders.publishEvent((order, sequence) -> order.brewed = brewed);
            return brewed.get();
        });
    }

    static Disruptor<Order> ring(String name) {
        var number = new AtomicInteger();
        ThreadFactory daemons = work -> {
            var thread = new Thread(work, name + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        return new Disruptor<>(Order::new, 1_024, daemons, ProducerType.MULTI, new BlockingWaitStrategy());
    }
}
