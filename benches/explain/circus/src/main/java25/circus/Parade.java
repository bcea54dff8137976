package circus;

import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** Healthy: drummers on virtual threads of the background wait for a lock that is never free; no visitor takes it. */
final class Parade {
    public static void main(String[] arguments) throws Exception {
        var drum = new ReentrantLock();
        var drummers = new ArrayList<Thread>();
        for (int drummer = 0; drummer < 300; drummer++) {
            drummers.add(Thread.ofVirtual().name("drummer-" + drummer).start(() -> play(drum)));
        }
        Circus.jdk(
                Executors.newVirtualThreadPerTaskExecutor(),
                () -> drummers.size() + " drummers, " + Circus.askOffice().length());
    }

    private static void play(ReentrantLock drum) {
        while (true) {
            drum.lock();
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                return;
            } finally {
                drum.unlock();
            }
        }
    }
}
