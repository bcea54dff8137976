package plants;

/** A ledger whose one lock is held while its upstream is asked. */
final class SynchronizedClass {
    private static final Ledger[] LEDGERS = new Ledger[Integer.getInteger("ledgers", 1)];

    static final class Ledger {
        private long entries;

        synchronized long book() throws Exception {
            Upstream.call();
            return ++entries;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < LEDGERS.length; i++) {
            LEDGERS[i] = new Ledger();
        }
        Serve.tomcat(path -> "booked " + LEDGERS[(int) (Thread.currentThread().getId() % LEDGERS.length)].book());
    }
}
