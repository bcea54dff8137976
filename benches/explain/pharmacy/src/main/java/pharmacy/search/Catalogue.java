package pharmacy.search;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All drugs, as a list to go through and as an index. */
class Catalogue {
    private record Drug(String name, int price) {}

    private final List<Drug> drugs;
    private final Map<String, Drug> byName = new HashMap<>();

    Catalogue(int size) {
        drugs = IntStream.range(0, size)
                .mapToObj(number -> new Drug(name(number), number % 90))
                .toList();
        drugs.forEach(drug -> byName.put(drug.name().toLowerCase(Locale.ROOT), drug));
    }

    static String name(int number) {
        return "Paracetamol " + number + " Forte";
    }

    String scan(String asked) {
        return drugs.stream()
                .filter(drug -> drug.name().toLowerCase(Locale.ROOT).contains(asked.toLowerCase(Locale.ROOT)))
                .map(drug -> drug.name() + " " + drug.price())
                .collect(Collectors.joining(", "));
    }

    String find(String asked) {
        var drug = byName.get(asked.toLowerCase(Locale.ROOT));
        return drug.name() + " " + drug.price();
    }
}
