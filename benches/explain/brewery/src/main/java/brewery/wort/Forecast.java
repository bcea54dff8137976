package brewery.wort;

import org.springframework.stereotype.Service;

/** Sugar, yeast and alcohol minute by minute, until the beer is green. */
@Service
class Forecast {
    private static final int MINUTES = 7 * 24 * 60;
    private static final double STEP = 1 / 60.0;

    double[] after(double sugar, double celsius) {
        double yeast = 0.5;
        double alcohol = 0;
        double left = sugar;
        double speed = Math.exp(21.3 - 6_800 / (celsius + 273.15));
        for (int minute = 0; minute < MINUTES; minute++) {
            double growth = speed * yeast * left / (left + 4.2) * Math.exp(-alcohol / 38);
            yeast += STEP * (growth - 0.002 * yeast);
            alcohol += STEP * growth * 0.46;
            left = Math.max(0, left - STEP * growth * 0.9);
        }
        return new double[] {left, yeast, alcohol};
    }
}
