package garage.pressures;

import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/** Reads the sensors of a fleet's lorries from Redis all day, for the fleet's report. */
@Component
class Telemetry {
    private static final int READERS = 6;

    private final StringRedisTemplate sensors;
    private final LongAdder read = new LongAdder();

    Telemetry(StringRedisTemplate sensors) {
        this.sensors = sensors;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int i = 0; i < READERS; i++) {
            var reader = new Thread(this::read, "telemetry-" + i);
            reader.setDaemon(true);
            reader.start();
        }
    }

    private void read() {
        for (int lorry = 0; lorry < Integer.MAX_VALUE; lorry++) {
            sensors.opsForValue().get("lorry:" + lorry % 400);
            read.increment();
        }
    }
}
