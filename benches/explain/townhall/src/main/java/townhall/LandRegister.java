package townhall;

import java.io.IOException;

/** Extracts from the land register over lines to its host: too few of them, which are lent by wait and notify. */
public final class LandRegister {
    public static void main(String[] arguments) throws IOException {
        var lines = new RegisterLines(Integer.getInteger("register.lines", 4));
        TownHall.open(() -> {
            var line = lines.borrow();
            try {
                return "extract " + line.ask().length();
            } finally {
                lines.giveBack(line);
            }
        });
    }
}
