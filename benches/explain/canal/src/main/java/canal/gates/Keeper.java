package canal.gates;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import redis.clients.jedis.JedisPooled;

@Service
class Keeper {
    private final JedisPooled notes;
    private final boolean elsewhere;

    Keeper(JedisPooled notes, @Value("${gates.elsewhere:false}") boolean elsewhere) {
        this.notes = notes;
        this.elsewhere = elsewhere;
    }

    Mono<Gate> gate(String lock) {
        var read = Mono.just(lock)
                .map(name -> new Gate(name, !notes.get("gate:" + name).isEmpty()));
        return elsewhere ? read.subscribeOn(Schedulers.boundedElastic()) : read;
    }

    record Gate(String lock, boolean open) {}
}
