package townhall;

import java.io.IOException;
import java.util.concurrent.Exchanger;

/** Healthy: a line that only the brigade fights for, and a thread at an exchanger to which nobody comes. */
public final class FireBrigade {
    private static final Exchanger<String> SHIFTS = new Exchanger<>();

    public static void main(String[] arguments) throws IOException {
        var lines = new RegisterLines(1);
        for (int number = 1; number <= 6; number++) {
            start("brigade-" + number, () -> {
                while (true) {
                    var line = lines.borrow();
                    try {
                        line.ask();
                        Thread.sleep(100);
                    } finally {
                        lines.giveBack(line);
                    }
                }
            });
        }
        start("shift-change", () -> SHIFTS.exchange("day"));
        TownHall.open(() -> "engines " + TownHall.askOffice().length());
    }

    private interface Drill {
        void run() throws Exception;
    }

    private static void start(String name, Drill drill) {
        var thread = new Thread(
                () -> {
                    try {
                        drill.run();
                    } catch (Exception e) {
                        System.err.println(name + " ended: " + e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
