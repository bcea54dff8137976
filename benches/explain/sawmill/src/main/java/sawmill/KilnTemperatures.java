package sawmill;

import java.util.concurrent.Executors;

/** Temperatures of the kilns, on the JDK's server without an executor; limited by its one thread, which does all. */
final class KilnTemperatures {
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.getInteger("kilns.threads", 0);
        Sawmill.jdk(
                threads == 0 ? null : Executors.newFixedThreadPool(threads),
                () -> "kiln at " + Sawmill.ask("/kilns/3").length());
    }
}
