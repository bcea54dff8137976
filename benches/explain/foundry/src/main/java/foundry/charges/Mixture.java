package foundry.charges;

import java.util.Arrays;
import org.springframework.stereotype.Service;

/** Finds shares of scrap step by step, downhill, from equal shares on. */
@Service
class Mixture {
    private static final int KINDS = 24;
    private static final int ELEMENTS = 12;
    private static final int STEPS = 2_500;

    private final double[][] analyses = new double[KINDS][ELEMENTS];

    Mixture() {
        for (int kind = 0; kind < KINDS; kind++) {
            for (int element = 0; element < ELEMENTS; element++) {
                analyses[kind][element] = (kind * 31 + element * 17) % 23 / 230.0;
            }
        }
    }

    double[] shares(double silicon) {
        var wanted = new double[ELEMENTS];
        wanted[0] = silicon / 100;
        var shares = new double[KINDS];
        Arrays.fill(shares, 1.0 / KINDS);
        for (int step = 0; step < STEPS; step++) {
            descend(shares, wanted);
        }
        return shares;
    }

    private void descend(double[] shares, double[] wanted) {
        var missing = wanted.clone();
        for (int kind = 0; kind < KINDS; kind++) {
            for (int element = 0; element < ELEMENTS; element++) {
                missing[element] -= shares[kind] * analyses[kind][element];
            }
        }
        double sum = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            double slope = 0;
            for (int element = 0; element < ELEMENTS; element++) {
                slope += missing[element] * analyses[kind][element];
            }
            shares[kind] = Math.max(0, shares[kind] + 0.4 * slope);
            sum += shares[kind];
        }
        for (int kind = 0; kind < KINDS; kind++) {
            shares[kind] /= Math.max(sum, 1e-9);
        }
    }
}
