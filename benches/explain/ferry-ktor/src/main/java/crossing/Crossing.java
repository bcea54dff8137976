package crossing;

/** The crossing's backends: one application on Ktor, deployed once for each value of {@code crossing.service}. */
public final class Crossing {
    public static void main(String[] arguments) {
        ApplicationKt.serve(System.getProperty("crossing.service"));
    }
}
