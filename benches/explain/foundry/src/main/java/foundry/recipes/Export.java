package foundry.recipes;

import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Sends recipes to the other works all day, as slowly as their old line wants it. */
@Component
class Export {
    private static final int WORKS = 8;

    private final Bucket line = Bucket.builder()
            .addLimit(limit -> limit.capacity(1).refillGreedy(6, Duration.ofSeconds(1)))
            .build();
    private final LongAdder sent = new LongAdder();

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int works = 0; works < WORKS; works++) {
            var export = new Thread(this::send, "export-" + works);
            export.setDaemon(true);
            export.start();
        }
    }

    private void send() {
        try {
            while (!Thread.interrupted()) {
                line.asBlocking().consume(1);
                sent.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
