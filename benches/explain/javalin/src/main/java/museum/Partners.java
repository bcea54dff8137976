package museum;

import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;

/** Looks for the host of one of the museum's many partners: the system's library does, and waits for it. */
public final class Partners {
    public static void main(String[] arguments) {
        Museum.open(() -> {
            var partner = "museum-" + ThreadLocalRandom.current().nextInt(1_000_000) + ".example";
            return partner + " is at " + InetAddress.getByName(partner).getHostAddress();
        });
    }
}
