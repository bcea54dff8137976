package plants;

import java.util.regex.Pattern;

/** A pattern that backtracks over every text that does not match. */
final class HotRegex {
    private static final String TEXT = "name=plimsoll&".repeat(14) + "!";
    private static final Pattern PATTERN =
            Pattern.compile(Boolean.getBoolean("possessive") ? "(?:[^&]++&)++#" : "(?:[^&]+&)*[^#]*[^&]*[^!]*#");

    public static void main(String[] arguments) throws Exception {
        Serve.tomcat(path -> {
            int found = 0;
            for (int i = 0; i < 3; i++) {
                found += PATTERN.matcher(TEXT).matches() ? 1 : 0;
            }
            return "found " + found;
        });
    }
}
