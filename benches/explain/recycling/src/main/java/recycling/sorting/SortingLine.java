package recycling.sorting;

import java.util.Arrays;
import java.util.Random;
import org.springframework.stereotype.Service;

/** Spreads the pieces of a batch over belts, so that the fullest has as little as can be. */
@Service
class SortingLine {
    private static final int PIECES = 140;
    private static final int ROUNDS = 60;

    Plan plan(int batch, int belts) {
        var grams = pieces(batch);
        var beltOf = new int[PIECES];
        var load = new long[belts];
        for (int i = 0; i < PIECES; i++) {
            beltOf[i] = i % belts;
            load[beltOf[i]] += grams[i];
        }
        for (int round = 0; round < ROUNDS; round++) {
            improve(grams, beltOf, load);
        }
        return new Plan(batch, Arrays.stream(load).max().orElse(0), load);
    }

    private static int[] pieces(int batch) {
        return new Random(batch).ints(PIECES, 20, 4_000).sorted().toArray();
    }

    private static void improve(int[] grams, int[] beltOf, long[] load) {
        for (int i = 0; i < grams.length; i++) {
            for (int j = i + 1; j < grams.length; j++) {
                int here = beltOf[i];
                int there = beltOf[j];
                long moved = grams[j] - grams[i];
                if (Math.max(load[here] + moved, load[there] - moved) < Math.max(load[here], load[there])) {
                    beltOf[i] = there;
                    beltOf[j] = here;
                    load[here] += moved;
                    load[there] -= moved;
                }
            }
        }
    }

    record Plan(int batch, long fullest, long[] belts) {}
}
