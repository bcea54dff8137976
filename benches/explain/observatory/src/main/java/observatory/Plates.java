package observatory;

import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Photographic plates that are smoothed by the CPU, which other programs want, too. */
public final class Plates extends Observatory {
    /** The plates. */
    @Path("/")
    public static final class Smoothed {
        @GET
        public String smooth() {
            var plate = ThreadLocalRandom.current().doubles(40_000).toArray();
            for (int turn = 0; turn < 40; turn++) {
                for (int at = 1; at < plate.length - 1; at++) {
                    plate[at] = (plate[at - 1] + plate[at] + plate[at + 1]) / 3;
                }
            }
            return "smoothed " + plate[20_000];
        }
    }

    @Override
    Object resource(Settings settings, Environment environment) {
        return new Smoothed();
    }

    public static void main(String[] arguments) throws Exception {
        open(new Plates());
    }
}
