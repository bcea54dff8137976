package vets.feeding;

import org.springframework.stereotype.Service;

/** Tries all the mixtures of four feeds in steps of ten grams. */
@Service
class Mixtures {
    private static final int[] PROTEIN = {24, 41, 12, 18};
    private static final int[] FAT = {14, 9, 3, 22};
    private static final int[] FIBRE = {3, 2, 11, 4};
    private static final int MOST = 60;

    private final Prices prices;

    Mixtures(Prices prices) {
        this.prices = prices;
    }

    Plan cheapest(int protein, int fat, int fibre) {
        var cents = prices.cents();
        var best = new Plan(MOST, MOST, MOST, MOST, Integer.MAX_VALUE);
        for (int a = 0; a < MOST; a++) {
            for (int b = 0; b < MOST; b++) {
                for (int c = 0; c < MOST; c++) {
                    best = with(a, b, c, new int[] {protein, fat, fibre}, cents, best);
                }
            }
        }
        return best;
    }

    /** Adds as much of the last feed as is missing. */
    private static Plan with(int a, int b, int c, int[] needed, int[] cents, Plan best) {
        int d = missing(needed[0], PROTEIN, a, b, c);
        d = Math.max(d, missing(needed[1], FAT, a, b, c));
        d = Math.max(d, missing(needed[2], FIBRE, a, b, c));
        int price = a * cents[0] + b * cents[1] + c * cents[2] + d * cents[3];
        return price < best.cents() ? new Plan(a, b, c, d, price) : best;
    }

    private static int missing(int needed, int[] feed, int a, int b, int c) {
        int lacks = needed - a * feed[0] - b * feed[1] - c * feed[2];
        return lacks <= 0 ? 0 : (lacks + feed[3] - 1) / feed[3];
    }

    record Plan(int beef, int fish, int beet, int oil, int cents) {}
}
