package museum;

import dev.failsafe.Bulkhead;
import dev.failsafe.Failsafe;
import java.time.Duration;

/** Audio guides from another service, by a bulkhead of Failsafe that lets few in and has the others wait. */
public final class AudioGuides {
    public static void main(String[] arguments) {
        var few = Bulkhead.<String>builder(Integer.getInteger("guides.at-once", 4))
                .withMaxWaitTime(Duration.ofSeconds(20))
                .build();
        var guides = Failsafe.with(few);
        Museum.open(() -> "guide " + guides.get(Museum::askDepot).length());
    }
}
