package townhall;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Lines that one borrower after the other has, as many as there were at the start. */
final class RegisterLines {
    private final Deque<Line> idle = new ArrayDeque<>();

    RegisterLines(int count) throws IOException {
        for (int line = 0; line < count; line++) {
            idle.push(new Line(TownHall.OFFICE.getHost(), TownHall.OFFICE.getPort()));
        }
    }

    synchronized Line borrow() throws InterruptedException {
        while (idle.isEmpty()) {
            wait();
        }
        return idle.pop();
    }

    synchronized void giveBack(Line line) {
        idle.push(line);
        notify();
    }
}
