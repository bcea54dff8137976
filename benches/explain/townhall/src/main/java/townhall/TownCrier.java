package townhall;

import java.io.IOException;

/** News of the town, for few connections at once: by jdk.httpserver.maxConnections, or for want of descriptors. */
public final class TownCrier {
    public static void main(String[] arguments) throws IOException {
        TownHall.open(() -> "news " + TownHall.askOffice().length());
    }
}
