package brewery.menu;

import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Repository;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPooled;

/** Weights that the scales under the kegs have written to Redis. */
@Repository
class Kegs {
    private final JedisPooled scales;
    private final boolean together;

    Kegs(@Value("${stub}") String redis, @Value("${menu.ask-together:false}") boolean together) {
        var pool = new ConnectionPoolConfig();
        pool.setMaxTotal(32);
        pool.setMaxIdle(32);
        scales = new JedisPooled(
                pool, HostAndPort.from(redis).getHost(), HostAndPort.from(redis).getPort());
        this.together = together;
    }

    List<String> levels(List<String> taps) {
        var keys = taps.stream().map(tap -> "keg:" + tap);
        return together
                ? scales.mget(keys.toArray(String[]::new))
                : keys.map(scales::get).toList();
    }
}
