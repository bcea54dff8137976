package museum.hours;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The newsletter, for which subscribers are looked up by two threads, at night and whenever there is time. */
@Component
class Newsletter {
    private static final int SUBSCRIBERS = 400;

    private final Scheduler post = Schedulers.newBoundedElastic(2, 10_000, "newsletter");
    private final RedisCommands<String, String> subscribers;

    Newsletter(@Value("${stub}") String redis) {
        subscribers = RedisClient.create("redis://" + redis).connect().sync();
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int subscriber = 0; subscriber < SUBSCRIBERS; subscriber++) {
            address(subscriber);
        }
    }

    private void address(int subscriber) {
        post.schedule(() -> {
            subscribers.get("subscriber:" + subscriber);
            address(subscriber);
        });
    }
}
