package brewery;

import java.util.UUID;
import org.tinylog.Logger;

/** Notes each glass that is drawn, by tinylog to the console, which is slow. */
public final class TapList {
    public static void main(String[] arguments) {
        Brewery.open(() -> {
            var glass = UUID.randomUUID();
            Logger.info("glass {} of pale ale was drawn at tap {} and put on the slate", glass, glass.hashCode() & 7);
            return "cheers " + glass;
        });
    }
}
