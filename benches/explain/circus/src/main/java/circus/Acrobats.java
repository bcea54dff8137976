package circus;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Numbers of acrobats, rehearsed by an executor which never grows past its core, as its queue has no end. */
final class Acrobats {
    public static void main(String[] arguments) {
        var number = new AtomicInteger();
        var rehearsals = new ThreadPoolExecutor(
                Integer.getInteger("acrobats.core", 5),
                100,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> new Thread(work, "acrobat-" + number.incrementAndGet()));
        Circus.undertow(
                200,
                () -> "somersault " + rehearsals.submit(Circus::askOffice).get().length());
    }
}
