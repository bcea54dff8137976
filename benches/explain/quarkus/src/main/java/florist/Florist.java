package florist;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Flowers by post: one application on Quarkus, of whose resources each request asks one. */
@QuarkusMain
public class Florist {
    public static void main(String[] arguments) {
        Quarkus.run(arguments);
    }
}
