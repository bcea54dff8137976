package balloons;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Flight plans, filed by a library that waits: the one verticle has its blocking tasks run one after the other. */
public final class FlightPlans {
    public static void main(String[] arguments) {
        boolean ordered = !Boolean.getBoolean("plans.in-any-order");
        var vertx = Field.vertx();
        Field.serve(vertx, 1, request -> vertx.executeBlocking(FlightPlans::file, ordered));
    }

    private static String file() throws IOException {
        try (var answer = Field.TOWER.resolve("/plans").toURL().openStream()) {
            return "filed " + new String(answer.readAllBytes(), StandardCharsets.UTF_8).length();
        }
    }
}
