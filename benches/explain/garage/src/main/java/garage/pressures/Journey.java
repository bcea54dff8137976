package garage.pressures;

/** A tyre's journey: the rolling warms it, the wind cools it, and the air in it follows. */
record Journey(double bar, double kilometresPerHour) {
    private static final int STEPS = 60_000;
    private static final double OUTSIDE = 288.15;

    double atTheEnd() {
        double kelvin = OUTSIDE;
        double pressure = bar;
        double metresPerSecond = kilometresPerHour / 3.6;
        for (int step = 0; step < STEPS; step++) {
            double warming = 0.012 * metresPerSecond / Math.sqrt(pressure);
            double cooling = 0.0009 * Math.pow(metresPerSecond, 0.8) * (kelvin - OUTSIDE);
            kelvin += (warming - cooling) * 0.1;
            pressure = (bar + 1) * kelvin / OUTSIDE - 1;
        }
        return pressure;
    }
}
