package circus;

import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Bookings of clowns, on Tomcat, which was given an executor of its own with too few threads. */
final class Clowns {
    public static void main(String[] arguments) throws Exception {
        var number = new AtomicInteger();
        var threads = Executors.newFixedThreadPool(
                Integer.getInteger("clowns.threads", 6), work -> new Thread(work, "clown-" + number.incrementAndGet()));
        Circus.tomcat(threads, () -> "clown booked, " + Circus.askOffice().length());
    }
}
