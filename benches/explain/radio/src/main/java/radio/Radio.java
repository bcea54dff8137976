package radio;

/** The station's backends: one application on Ktor, deployed once for each value of {@code radio.service}. */
public final class Radio {
    public static void main(String[] arguments) {
        StationKt.broadcast(System.getProperty("radio.service"));
    }
}
