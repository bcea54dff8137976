package newspaper;

import freemarker.template.Configuration;
import freemarker.template.Template;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Horoscopes by FreeMarker, with a new configuration, and so all parsing anew, for each: work for the CPU. */
public final class Horoscopes {
    private static final boolean KEEPS = Boolean.getBoolean("horoscopes.keep-template");
    private static final String SIGNS = IntStream.range(0, 150)
            .mapToObj(n -> "<#if sign == " + n + "><p>${name?upper_case}, day ${sign + 1}: <b>${luck!\"none\"}</b></p>"
                    + "<#else><i>${name?length}</i></#if>\n")
            .collect(Collectors.joining());

    public static void main(String[] arguments) throws IOException {
        var kept = parse();
        Newspaper.open(() -> {
            var page = new StringWriter();
            (KEEPS ? kept : parse()).process(Map.of("name", "Ada", "sign", 11, "luck", "some"), page);
            return page.toString();
        });
    }

    private static Template parse() throws IOException {
        return new Template("horoscopes", SIGNS, new Configuration(Configuration.VERSION_2_3_34));
    }
}
