package townhall;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Licences for dogs: one at a time in each of two districts, by a monitor of the district's interned name. */
public final class DogLicences {
    private static final AtomicInteger APPLICATIONS = new AtomicInteger();
    private static final boolean BY_OWNER = "owner".equals(System.getProperty("licences.by", "district"));

    public static void main(String[] arguments) throws IOException {
        TownHall.open(() -> {
            int owner = APPLICATIONS.incrementAndGet() % 5_000;
            return issue(BY_OWNER ? "owner-" + owner : "district-" + owner % 2);
        });
    }

    private static String issue(String scope) throws IOException {
        synchronized (scope.intern()) {
            return "licence " + TownHall.askOffice().length();
        }
    }
}
