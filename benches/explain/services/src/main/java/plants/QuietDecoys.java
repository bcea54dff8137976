package plants;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/** A healthy service with something in it that looks like a cause and is none; the setting `decoy` names it. */
final class QuietDecoys {
    private static final ReentrantLock LOCK = new ReentrantLock();

    public static void main(String[] arguments) throws Exception {
        switch (System.getProperty("decoy", "none")) {
            case "rare-lock" -> background(QuietDecoys::holdRarely);
            case "idle-pool" -> useNowAndThen(poolOfOne());
            case "deadlock" -> deadlock();
            case "idle-executor" -> startIdle(Executors.newFixedThreadPool(100));
            case "start-burst" -> burst(new Semaphore(1));
            default -> {}
        }
        Serve.tomcat(path -> {
            LOCK.lock();
            LOCK.unlock();
            return Upstream.call();
        });
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void background(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                System.err.println(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void holdRarely() throws InterruptedException {
        while (true) {
            LOCK.lock();
            try {
                Thread.sleep(300);
            } finally {
                LOCK.unlock();
            }
            Thread.sleep(15_000);
        }
    }

    private static HikariDataSource poolOfOne() {
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:reports");
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static void useNowAndThen(HikariDataSource database) {
        background(() -> {
            while (true) {
                try (var connection = database.getConnection()) {
                    connection.isValid(1);
                    Thread.sleep(200);
                }
                Thread.sleep(3_000);
            }
        });
    }

    private static void deadlock() {
        var one = new Object();
        var other = new Object();
        var both = new CountDownLatch(2);
        background(() -> takeBoth(one, other, both));
        background(() -> takeBoth(other, one, both));
    }

    private static void takeBoth(Object first, Object second, CountDownLatch both) throws InterruptedException {
        synchronized (first) {
            both.countDown();
            both.await();
            synchronized (second) {
                System.err.println("never");
            }
        }
    }

    private static void startIdle(java.util.concurrent.ExecutorService executor) {
        for (int i = 0; i < 100; i++) {
            executor.submit(() -> {});
        }
    }

    private static void burst(Semaphore pool) {
        for (int i = 0; i < 50; i++) {
            background(() -> {
                pool.acquire();
                Thread.sleep(30);
                pool.release();
            });
        }
    }
}
