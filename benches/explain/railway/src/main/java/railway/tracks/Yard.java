package railway.tracks;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Trains of a yard, and the minutes that it takes to let one go after another. */
record Yard(int number) {
    private static final int TRAINS = 12;

    int leastMinutes() {
        var dice = new SplittableRandom(number);
        var between = new int[TRAINS][TRAINS];
        for (var row : between) {
            Arrays.setAll(row, train -> 2 + dice.nextInt(20));
        }
        var least = new int[1 << TRAINS][TRAINS];
        for (var row : least) {
            Arrays.fill(row, Integer.MAX_VALUE / 2);
        }
        for (int train = 0; train < TRAINS; train++) {
            least[1 << train][train] = 0;
        }
        for (int gone = 1; gone < 1 << TRAINS; gone++) {
            for (int last = 0; last < TRAINS; last++) {
                for (int next = 0; next < TRAINS; next++) {
                    if ((gone >> last & 1) == 1 && (gone >> next & 1) == 0) {
                        int then = gone | 1 << next;
                        least[then][next] = Math.min(least[then][next], least[gone][last] + between[last][next]);
                    }
                }
            }
        }
        return Arrays.stream(least[(1 << TRAINS) - 1]).min().orElseThrow();
    }
}
