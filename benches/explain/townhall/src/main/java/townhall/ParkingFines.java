package townhall;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** Fines for parking, each of which is printed on System.out, whose reader is slow. */
public final class ParkingFines {
    private static final AtomicInteger FINES = new AtomicInteger();
    private static final boolean TRACE = !"false".equals(System.getProperty("fines.trace"));

    public static void main(String[] arguments) throws IOException {
        TownHall.open(() -> {
            int fine = FINES.incrementAndGet();
            if (TRACE) {
                System.out.println(Instant.now() + " [fines] fine=" + fine + " street=Market Street zone=" + fine % 7
                        + " amount=25.00 state=ISSUED");
            }
            return "fine " + fine;
        });
    }
}
