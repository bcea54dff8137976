package cinema.tips;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Marks that visitors gave, all of them in memory. */
class Tastes {
    private static final int MARKS = 16;
    private static final int COMPARED = 300;

    private final Map<Integer, Visitor> visitors = new HashMap<>();
    private final AtomicInteger next = new AtomicInteger();

    Tastes(int count) {
        for (int number = 0; number < count; number++) {
            var marks = new HashMap<Integer, Integer>();
            for (int i = 0; i < MARKS; i++) {
                marks.put(1_000 + (number * 31 + i * 17) % 700, 1_000 + (number + i) % 5);
            }
            visitors.put(number, new Visitor(marks));
        }
    }

    int filmFor(int number) {
        var visitor = visitors.get(number);
        var similar = new ArrayList<Similar>();
        int from = next.addAndGet(COMPARED);
        for (int i = 0; i < COMPARED; i++) {
            var other = visitors.get(Math.floorMod(from + i, visitors.size()));
            similar.add(new Similar(other, visitor.filmsInCommon(other)));
        }
        similar.sort(Comparator.comparingInt(each -> -each.films().size()));
        return similar.get(0).visitor().marks().keySet().iterator().next();
    }

    record Visitor(Map<Integer, Integer> marks) {
        Set<Integer> filmsInCommon(Visitor other) {
            var films = new HashSet<>(other.marks.keySet());
            films.retainAll(marks.keySet());
            return films;
        }
    }

    record Similar(Visitor visitor, Set<Integer> films) {}
}
