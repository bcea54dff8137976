package cinema.forecasts;

import java.util.SplittableRandom;

record Evening(int show) {
    private static final int EVENINGS = 1_200;
    private static final int GROUPS = 60;

    int likelySeats() {
        var dice = new SplittableRandom(show);
        long sold = 0;
        for (int evening = 0; evening < EVENINGS; evening++) {
            double weather = dice.nextDouble();
            for (int group = 0; group < GROUPS; group++) {
                sold += dice.nextDouble() * weather > 0.3 ? 1 + dice.nextInt(4) : 0;
            }
        }
        return (int) (sold / EVENINGS);
    }
}
