package canal.gates;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPooled;

/** Whether the gates of a lock are open, as its keeper last noted in Redis. */
@SpringBootApplication
public class GatesApplication {
    @Bean(destroyMethod = "close")
    JedisPooled notes(@Value("${stub}") String redis) {
        var address = HostAndPort.from(redis);
        var pool = new ConnectionPoolConfig();
        pool.setMaxTotal(100);
        pool.setMaxIdle(100);
        return new JedisPooled(pool, address.getHost(), address.getPort());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(GatesApplication.class, arguments);
    }
}
