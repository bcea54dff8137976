package railway.luggage;

import com.google.common.util.concurrent.RateLimiter;
import java.sql.SQLException;

/** Looks for the owners of what was found without a label; with patience, as the database has others to serve. */
class Matching {
    private static final int STATIONS = 8;

    @SuppressWarnings("UnstableApiUsage")
    private final RateLimiter limiter = RateLimiter.create(3);

    private final Finds finds;

    Matching(Finds finds) {
        this.finds = finds;
    }

    void begin() {
        for (int station = 0; station < STATIONS; station++) {
            int number = station;
            var thread = new Thread(() -> match(number), "matching-" + station);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void match(int station) {
        for (int find = 0; !Thread.currentThread().isInterrupted(); find++) {
            limiter.acquire();
            try {
                finds.likeliestOwner("grey suitcase " + station + "/" + find);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
