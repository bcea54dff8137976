import java.util.concurrent.*;
import java.util.concurrent.locks.*;
/** Threads that each wait for something else: for recorded dumps. */
public class Locks {
    static final Object monitor = new Object();
    static final ReentrantLock lock = new ReentrantLock();
    static final Semaphore permits = new Semaphore(1);
    public static void main(String[] arguments) throws Exception {
        permits.acquire();
        start("holder", () -> { synchronized (monitor) { lock.lock(); Thread.sleep(1_000_000); } });
        Thread.sleep(200);
        for (int i = 0; i < 3; i++) start("entering-" + i, () -> { synchronized (monitor) { Thread.sleep(1); } });
        for (int i = 0; i < 2; i++) start("locking-" + i, lock::lock);
        start("acquiring", permits::acquire);
        start("waiting", () -> { synchronized (permits) { permits.wait(); } });
        start("listening", () -> new java.net.ServerSocket(0).accept());
        start("spinning", () -> { while (true) { } });
        var pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> { }); pool.submit(() -> { });
        if (Runtime.version().feature() >= 21) Virtual.start();
        System.out.println("ready");
        Thread.sleep(1_000_000);
    }
    interface Task { void run() throws Exception; }
    static void start(String name, Task task) {
        var thread = new Thread(() -> { try { task.run(); } catch (Exception e) { throw new IllegalStateException(e); } }, name);
        thread.setDaemon(true);
        thread.start();
    }
    static class Virtual {
        static void start() throws Exception {
            var executor = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            for (int i = 0; i < 3; i++) executor.submit(() -> { Thread.sleep(1_000_000); return 0; });
            executor.submit(() -> { lock.lock(); return 0; });
            executor.submit(() -> { synchronized (monitor) { return 0; } });
            executor.submit(() -> { while (true) { } });
            // No carrier is left for it where a thread keeps its own at a monitor.
            if (Runtime.version().feature() < 24) executor.submit(() -> 0);
        }
    }
}
