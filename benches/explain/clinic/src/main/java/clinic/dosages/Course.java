package clinic.dosages;

/** A drug's course through stomach, blood and kidneys, in small steps. */
record Course(double milligrams, double kilograms) {
    private static final int STEPS = 80_000;

    double inBlood() {
        double stomach = 0;
        double blood = 0;
        double hours = 7.0 * 24 / STEPS;
        for (int step = 0; step < STEPS; step++) {
            if (step % (STEPS / 14) == 0) {
                stomach += milligrams;
            }
            double absorbed = stomach * (1 - Math.exp(-1.1 * hours));
            double gone = blood * 0.08 * Math.pow(kilograms / 70, 0.75) * hours;
            stomach -= absorbed;
            blood += absorbed - gone;
        }
        return blood;
    }
}
