package greenhouse;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Labels of plants from a template, whose placeholders are found by a pattern that tries each line over and over. */
public final class Labels {
    private static final Pattern TRYING = Pattern.compile("(\\w+\\s?)*\\{name\\}");
    private static final Pattern PLAIN = Pattern.compile("\\{name\\}");
    private static final List<String> PLANTS = List.of("Monstera deliciosa", "Ficus elastica", "Aloe vera");

    public static void main(String[] arguments) {
        var pattern = Boolean.getBoolean("labels.plain-pattern") ? PLAIN : TRYING;
        var template = IntStream.range(0, 60)
                .mapToObj(line -> "keep it moister, half shade " + line + ": {name}")
                .collect(Collectors.joining("\n"));
        House.open((request, response) -> response.send(render(pattern, template)));
    }

    private static String render(Pattern pattern, String template) {
        return PLANTS.stream()
                .map(plant -> pattern.matcher(template).replaceAll(plant))
                .map(label -> "label of " + label.length())
                .collect(Collectors.joining("\n"));
    }
}
