package vets.feeding;

import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Prices of feeds, which are read under a lock; suppliers' lists wait in the background for the one who may import. */
@Component
class Prices {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final ReentrantLock importing = new ReentrantLock();
    private final int[] cents = {31, 54, 12, 27};

    int[] cents() {
        lock.readLock().lock();
        try {
            return cents.clone();
        } finally {
            lock.readLock().unlock();
        }
    }

    @EventListener(ApplicationReadyEvent.class)
    void importLists() {
        for (int supplier = 0; supplier < 20; supplier++) {
            var thread = new Thread(this::importOften, "supplier-" + supplier);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void importOften() {
        for (int list = 0; ; list++) {
            importing.lock();
            try {
                Thread.sleep(1_500);
                change(list % cents.length);
            } catch (InterruptedException e) {
                return;
            } finally {
                importing.unlock();
            }
        }
    }

    private void change(int feed) {
        lock.writeLock().lock();
        try {
            cents[feed] = cents[feed] % 60 + 1;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
