package bakery;

import io.micronaut.runtime.Micronaut;
import java.util.Map;

/** A bakery on Micronaut, whose plants are its pages. */
public final class Bakery {
    public static void main(String[] arguments) {
        Micronaut.build(arguments)
                .mainClass(Bakery.class)
                .banner(false)
                .properties(Map.of(
                        "micronaut.server.port",
                        Integer.getInteger("server.port", 8080),
                        "micronaut.server.host",
                        "127.0.0.1"))
                .start();
    }
}
