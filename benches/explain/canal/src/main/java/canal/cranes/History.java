package canal.cranes;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Half a year of shifts, packed, in memory; what is asked for is unpacked. */
class History {
    private static final int SHIFTS = 360;
    private static final int READINGS = 6_000;

    private final List<int[]> packed = new ArrayList<>();

    History() {
        for (int shift = 0; shift < SHIFTS; shift++) {
            var readings = new int[READINGS];
            for (int i = 0; i < READINGS; i++) {
                readings[i] = (shift * 7_919 + i * 104_729) % 32_000;
            }
            packed.add(readings);
        }
    }

    int size() {
        return packed.size();
    }

    List<Reading> shift(int number) {
        var unpacked = new ArrayList<Reading>();
        var begin = Instant.EPOCH.plusSeconds(number * 28_800L);
        for (int kilograms : packed.get(Math.floorMod(number, SHIFTS))) {
            unpacked.add(new Reading("crane-" + number, begin.plusSeconds(unpacked.size()), kilograms));
        }
        return unpacked;
    }
}
