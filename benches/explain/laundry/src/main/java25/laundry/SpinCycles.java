package laundry;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** Healthy: cycles of washing machines; thousands of virtual threads wait for an end, and one carrier is enough. */
final class SpinCycles {
    public static void main(String[] arguments) throws Exception {
        var closingTime = new CountDownLatch(1);
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        for (int machine = 0; machine < 5_000; machine++) {
            threads.submit(() -> {
                closingTime.await();
                return Counter.ask("/machines/off");
            });
        }
        Counter.serve(threads, () -> "spins " + Counter.ask("/machines/9").length() + " min");
    }
}
