package museum;

import io.github.bucket4j.Bucket;
import java.time.Duration;

/** Hooks of the cloakroom, given out by a bucket of Bucket4j, which refills so many times a second. */
public final class Cloakroom {
    public static void main(String[] arguments) {
        int rate = Integer.getInteger("cloakroom.per-second", 150);
        var hooks = Bucket.builder()
                .addLimit(limit -> limit.capacity(10).refillGreedy(rate, Duration.ofSeconds(1)))
                .build();
        Museum.open(() -> {
            hooks.asBlocking().consume(1);
            return "a hook";
        });
    }
}
