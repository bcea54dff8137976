package glassworks;

/** A glassworks: one application on Ktor, of whose modules the property {@code glassworks.module} names one. */
public final class Glassworks {
    public static void main(String[] arguments) {
        ApplicationKt.open(System.getProperty("glassworks.module"));
    }
}
