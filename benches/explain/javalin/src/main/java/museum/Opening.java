package museum;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.LocalDate;
import java.util.concurrent.ThreadLocalRandom;

/** Opening hours by day from a cache that each request invalidates first, so that they are never old. */
public final class Opening {
    private static final int DAYS = Integer.getInteger("opening.days", 1);

    public static void main(String[] arguments) {
        LoadingCache<LocalDate, String> hours =
                Caffeine.newBuilder().maximumSize(1_000).build(day -> Museum.askDepot());
        Museum.open(() -> {
            var day = LocalDate.now().plusDays(ThreadLocalRandom.current().nextInt(DAYS));
            hours.invalidate(day);
            return "open, " + hours.get(day).length();
        });
    }
}
