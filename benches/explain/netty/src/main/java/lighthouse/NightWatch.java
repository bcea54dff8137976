package lighthouse;

import io.lettuce.core.RedisClient;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.CountDownLatch;

/** Healthy: the watchmen, executors with tasks behind tasks that wait for ever, whom no request asks. */
public final class NightWatch {
    public static void main(String[] arguments) {
        var dawn = new CountDownLatch(1);
        var watchmen = new DefaultEventExecutorGroup(4, new DefaultThreadFactory("watch", true));
        for (int round = 0; round < 400; round++) {
            watchmen.next().execute(() -> {
                try {
                    dawn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        var redis = RedisClient.create("redis://" + Tower.REDIS).connect();
        Tower.light(
                null,
                server -> {},
                context -> Answers.writeLater(context, redis.async().get("watch")));
    }
}
