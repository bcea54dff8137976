package museum;

import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.JedisPooled;

/** The exhibits of a hall, which are asked of Redis one by one. */
public final class Exhibits {
    private static final boolean TOGETHER = Boolean.getBoolean("exhibits.together");
    private static final List<String> HALL =
            List.of("vase", "mask", "coin", "loom", "sword", "globe", "lute", "bowl", "map", "icon", "stele", "ring");

    public static void main(String[] arguments) {
        var redis = TicketDesk.redis(200);
        Museum.open(() -> "exhibits " + labels(redis).size());
    }

    private static List<String> labels(JedisPooled redis) {
        if (TOGETHER) {
            return redis.mget(HALL.toArray(String[]::new));
        }
        var labels = new ArrayList<String>();
        for (var exhibit : HALL) {
            labels.add(redis.get(exhibit));
        }
        return labels;
    }
}
