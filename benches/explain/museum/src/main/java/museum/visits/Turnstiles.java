package museum.visits;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.support.ConnectionPoolSupport;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Counters of the turnstiles in Redis; a connection is with one reader at a time. */
class Turnstiles {
    private final GenericObjectPool<StatefulRedisConnection<String, String>> connections;

    Turnstiles(String redis, Integer most) {
        var client = RedisClient.create(redis);
        var limits = new GenericObjectPoolConfig<StatefulRedisConnection<String, String>>();
        if (most != null) {
            limits.setMaxTotal(most);
            limits.setMaxIdle(most);
        }
        connections = ConnectionPoolSupport.createGenericObjectPool(client::connect, limits);
    }

    int inside(String hall) throws Exception {
        try (var connection = connections.borrowObject()) {
            return connection.sync().get("inside:" + hall).length() * 17;
        }
    }
}
