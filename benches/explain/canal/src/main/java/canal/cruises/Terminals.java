package canal.cruises;

import java.util.ArrayDeque;
import java.util.Deque;

/** Terminals that are signed in: the shipping line charges for each, used or not. */
class Terminals {
    private final Deque<Terminal> free = new ArrayDeque<>();

    Terminals(int paid) {
        for (int number = 1; number <= paid; number++) {
            free.push(new Terminal(number));
        }
    }

    synchronized Terminal lend() throws InterruptedException {
        while (free.isEmpty()) {
            wait();
        }
        return free.pop();
    }

    synchronized void takeBack(Terminal terminal) {
        free.push(terminal);
        notify();
    }
}
