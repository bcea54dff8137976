package clinic;

import java.io.IOException;
import java.util.List;

/** Looks for the numbers among the words of a form by parsing each, deep down in a recursion: most throw. */
public final class Insurance {
    private static final List<String> FORM = "of the insured person born at number 4711 in street and town"
            .lines()
            .flatMap(line -> List.of(line.split(" ")).stream())
            .toList();
    private static final boolean LOOKS_FIRST = Boolean.getBoolean("insurance.look-first");
    private static final int PAGES = 20;

    public static void main(String[] arguments) throws IOException {
        Clinic.open(60, () -> "numbers " + numbers(100));
    }

    /** Forms hold forms. */
    private static int numbers(int depth) {
        if (depth > 0) {
            return numbers(depth - 1);
        }
        int found = 0;
        for (int page = 0; page < PAGES; page++) {
            for (var word : FORM) {
                found += isNumber(word) ? 1 : 0;
            }
        }
        return found;
    }

    private static boolean isNumber(String word) {
        if (LOOKS_FIRST && !Character.isDigit(word.charAt(0))) {
            return false;
        }
        try {
            return Integer.parseInt(word) > 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
