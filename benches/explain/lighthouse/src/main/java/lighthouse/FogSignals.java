package lighthouse;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Fog signals, sent over the event bus to worker verticles, few of them, whose library waits for the horns. */
public final class FogSignals {
    private static final String HORNS = "horns";

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        var horns = new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName("horn")
                .setWorkerPoolSize(64)
                .setInstances(Integer.getInteger("signals.horns", 3));
        Harbour.deploy(vertx, horns, Horn::new);
        Harbour.serve(
                vertx,
                4,
                request -> vertx.eventBus()
                        .<String>request(HORNS, "one long, two short")
                        .map(Message::body));
    }

    private static final class Horn extends AbstractVerticle {
        @Override
        public void start() {
            vertx.eventBus().<String>consumer(HORNS, this::sound);
        }

        private void sound(Message<String> signal) {
            try (var answer = Harbour.OFFICE.resolve("/horns").toURL().openStream()) {
                var heard = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
                signal.reply("sounded " + signal.body() + ", heard by " + heard.length());
            } catch (IOException e) {
                signal.fail(1, e.toString());
            }
        }
    }
}
