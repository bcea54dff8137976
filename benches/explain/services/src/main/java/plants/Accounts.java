package plants;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Accounts whose monitors are held while the bank is asked: before JDK 24 that keeps the carriers of virtual threads. */
final class Accounts {
    private static final Account[] ACCOUNTS = new Account[Integer.getInteger("accounts", 1)];

    static final class Account {
        private long entries;

        synchronized long book() throws Exception {
            Upstream.call();
            return ++entries;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < ACCOUNTS.length; i++) {
            ACCOUNTS[i] = new Account();
        }
        var threads = (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        Serve.tomcat(
                connector -> connector.getProtocolHandler().setExecutor(threads),
                path -> "booked " + ACCOUNTS[(int) (Thread.currentThread().getId() % ACCOUNTS.length)].book());
    }
}
