package museum.plans;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.support.ConnectionPoolSupport;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Reads what the sensors in the walls say, room after room, on two connections. */
class Survey {
    private static final int WINGS = 7;

    private final GenericObjectPool<StatefulRedisConnection<String, String>> sensors;

    Survey(String redis) {
        var limits = new GenericObjectPoolConfig<StatefulRedisConnection<String, String>>();
        limits.setMaxTotal(2);
        sensors = ConnectionPoolSupport.createGenericObjectPool(RedisClient.create(redis)::connect, limits);
    }

    void begin() {
        for (int wing = 0; wing < WINGS; wing++) {
            int surveyed = wing;
            var survey = new Thread(() -> readAll(surveyed), "survey-" + wing);
            survey.setDaemon(true);
            survey.start();
        }
    }

    private void readAll(int wing) {
        for (int room = 0; room < Integer.MAX_VALUE; room++) {
            try (var connection = sensors.borrowObject()) {
                connection.sync().get("humidity:" + wing + ":" + room);
            } catch (Exception e) {
                throw new IllegalStateException("wing " + wing + " cannot be surveyed", e);
            }
        }
    }
}
