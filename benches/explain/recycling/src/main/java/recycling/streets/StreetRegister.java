package recycling.streets;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Remarks of the drivers for each street, in Redis. */
@Repository
class StreetRegister {
    private static final int STREETS = 12;

    private final ReactiveStringRedisTemplate redis;
    private final boolean together;

    StreetRegister(ReactiveStringRedisTemplate redis, @Value("${streets.multi-get:false}") boolean together) {
        this.redis = redis;
        this.together = together;
    }

    Mono<List<String>> remarks(int tour) {
        var keys = IntStream.range(0, STREETS)
                .mapToObj(i -> "street:" + (tour * 31 + i))
                .toList();
        if (together) {
            return redis.opsForValue().multiGet(keys);
        }
        return Flux.fromIterable(keys).concatMap(redis.opsForValue()::get).collectList();
    }
}
