package museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Plans of rooms, of which a synchronized map keeps the last hundred: others are fetched inside it. */
public final class FloorPlans {
    private static final int ROOMS = Integer.getInteger("plans.rooms", 5_000);

    private static final class LastHundred extends LinkedHashMap<Integer, String> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
            return size() > 100;
        }
    }

    public static void main(String[] arguments) {
        var plans = Collections.synchronizedMap(new LastHundred());
        Museum.open(() -> {
            int room = ThreadLocalRandom.current().nextInt(ROOMS);
            return "plan of " + plans.computeIfAbsent(room, FloorPlans::fetch).length();
        });
    }

    private static String fetch(int room) {
        try {
            return room + Museum.askDepot();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
