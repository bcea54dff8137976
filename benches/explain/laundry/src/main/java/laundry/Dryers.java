package laundry;

import java.util.concurrent.Semaphore;

/** Dryers of the house: whoever comes first waits for one at the head of the queue, the others wait behind. */
final class Dryers {
    private final Semaphore free;
    private int loads;

    Dryers(int dryers) {
        free = new Semaphore(dryers);
    }

    synchronized int take() throws InterruptedException {
        free.acquire();
        return ++loads;
    }

    void giveBack() {
        free.release();
    }
}
