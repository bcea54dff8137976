package canal.levels;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.reactive.RedisReactiveCommands;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Levels of the water along the canal, which its gauges send to Redis. */
@SpringBootApplication
public class LevelsApplication {
    @Bean(destroyMethod = "shutdown")
    RedisClient redis(@Value("${stub}") String address) {
        return RedisClient.create(RedisURI.create("redis://" + address));
    }

    @Bean
    RedisReactiveCommands<String, String> gauges(RedisClient redis) {
        return redis.connect().reactive();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LevelsApplication.class, arguments);
    }
}
