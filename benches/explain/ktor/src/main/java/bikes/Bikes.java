package bikes;

/** Bicycles for hire: one application on Ktor, of whose modules the property {@code bikes.module} names one. */
public final class Bikes {
    public static void main(String[] arguments) {
        ApplicationKt.open(System.getProperty("bikes.module"));
    }
}
