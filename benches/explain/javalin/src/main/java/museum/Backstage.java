package museum;

import redis.clients.jedis.JedisPooled;

/** Healthy: four workers in the background fight for one connection to Redis, which no visitor needs. */
public final class Backstage {
    public static void main(String[] arguments) {
        var redis = TicketDesk.redis(1);
        for (int worker = 0; worker < 4; worker++) {
            var thread = new Thread(() -> restore(redis), "restorer-" + worker);
            thread.setDaemon(true);
            thread.start();
        }
        Museum.open(Museum::askDepot);
    }

    private static void restore(JedisPooled redis) {
        while (!Thread.currentThread().isInterrupted()) {
            redis.get("canvas");
        }
    }
}
