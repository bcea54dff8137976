package harvest;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** A harvest: one application on Quarkus, of whose resources each request asks one. */
@QuarkusMain
public class Harvest {
    public static void main(String[] arguments) {
        Quarkus.run(arguments);
    }
}
