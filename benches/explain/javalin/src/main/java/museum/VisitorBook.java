package museum;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each visitor down, by Log4j to the console, which is slow. */
public final class VisitorBook {
    private static final Logger BOOK = LoggerFactory.getLogger(VisitorBook.class);

    public static void main(String[] arguments) {
        Museum.open(() -> {
            var visitor = UUID.randomUUID();
            BOOK.info(
                    "visitor {} came in by the main door and took a leaflet for hall {}",
                    visitor,
                    visitor.hashCode() & 7);
            return "welcome " + visitor;
        });
    }
}
