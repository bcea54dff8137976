package lighthouse;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import io.netty.util.concurrent.DefaultEventExecutorGroup;

/** Tides from Redis by Lettuce's one connection; `tides.way` says whether threads, or the event loops, wait for it. */
public final class Tides {
    public static void main(String[] arguments) {
        var redis = connect();
        switch (System.getProperty("tides.way", "later")) {
            case "wait" ->
                Tower.light(
                        null,
                        server -> {},
                        context -> Answers.write(context, redis.sync().get("tide"), null));
            case "threads" ->
                Tower.light(
                        new DefaultEventExecutorGroup(100),
                        server -> {},
                        context -> Answers.write(context, redis.sync().get("tide"), null));
            default ->
                Tower.light(
                        null,
                        server -> {},
                        context -> Answers.writeLater(context, redis.async().get("tide")));
        }
    }

    private static StatefulRedisConnection<String, String> connect() {
        var client = RedisClient.create("redis://" + Tower.REDIS);
        client.setOptions(
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
        return client.connect();
    }
}
