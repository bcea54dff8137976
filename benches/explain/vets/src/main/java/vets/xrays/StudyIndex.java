package vets.xrays;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** All studies of the last years, which are looked up by number. */
@Component
class StudyIndex {
    private static final int STUDIES = 400_000;
    private static final List<String> SPECIES = List.of("dog", "cat", "rabbit", "parrot", "tortoise");

    private final Map<Integer, Study> studies = new HashMap<>();

    StudyIndex() {
        var start = LocalDate.of(2019, 1, 1);
        for (int i = 0; i < STUDIES; i++) {
            var species = SPECIES.get(i % SPECIES.size());
            studies.put(i, new Study("%s no. %d".formatted(species, i / 3), start.plusDays(i / 160), i * 7_919L));
        }
    }

    Study byNumber(int number) {
        return studies.get(number % STUDIES);
    }

    record Study(String animal, LocalDate day, long seed) {}
}
