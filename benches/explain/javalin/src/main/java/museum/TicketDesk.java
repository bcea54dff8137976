package museum;

import java.net.URI;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisPooled;

/** Tickets that are left, from Redis by Jedis, whose pool has eight connections unless it is told otherwise. */
public final class TicketDesk {
    public static void main(String[] arguments) {
        var desk = redis(Integer.getInteger("tickets.redis.connections", 8));
        Museum.open(() -> "tickets left: " + desk.get("tickets:today"));
    }

    static JedisPooled redis(int connections) {
        var pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        var server = URI.create("redis://" + Museum.REDIS);
        return new JedisPooled(pool, server.getHost(), server.getPort());
    }
}
