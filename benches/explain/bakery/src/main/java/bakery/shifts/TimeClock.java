package bakery.shifts;

import java.util.concurrent.locks.LockSupport;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Reads the time clocks of the branches. They share a line, so that it is one after the other. */
@Component
class TimeClock {
    private volatile String lastStamp = "nobody yet";

    @Scheduled(fixedDelay = 1)
    void north() {
        read("north");
    }

    @Scheduled(fixedDelay = 1)
    void south() {
        read("south");
    }

    @Scheduled(fixedDelay = 1)
    void station() {
        read("station");
    }

    @Scheduled(fixedDelay = 1)
    void market() {
        read("market");
    }

    private synchronized void read(String branch) {
        LockSupport.parkNanos(30_000_000);
        lastStamp = "last stamp at " + branch;
    }

    String lastStamp() {
        return lastStamp;
    }
}
