package greenhouse;

import java.util.concurrent.Phaser;

/** Healthy: 2,000 virtual threads that wait for an alarm which never comes, beside requests that need nothing of them. */
public final class Subscribers {
    public static void main(String[] arguments) {
        var alarm = new Phaser(1);
        for (int i = 0; i < 2_000; i++) {
            Thread.ofVirtual().name("subscriber-" + i).start(() -> {
                alarm.awaitAdvance(0);
                System.out.println("alarm");
            });
        }
        House.open((request, response) ->
                response.send("quiet: " + House.ask("state").length()));
    }
}
