package observatory;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/** Exposures, stacked from frames in a cache of Guava that all but fills the heap. */
public final class Exposures extends Observatory {
    /** The frames, each of 256 lines. */
    @Path("/")
    public static final class Frames {
        private final Cache<Integer, short[][]> frames =
                CacheBuilder.newBuilder().maximumSize(220).build();

        @GET
        public String stack() throws ExecutionException {
            var random = ThreadLocalRandom.current();
            var sum = new short[256][512];
            for (int exposure = 0; exposure < 2; exposure++) {
                var frame = frames.get(random.nextInt(240), () -> new short[256][512]);
                int line = random.nextInt(256);
                sum[line][exposure] += frame[line][exposure];
            }
            return "stacked " + sum.length;
        }
    }

    @Override
    Object resource(Settings settings, Environment environment) {
        return new Frames();
    }

    public static void main(String[] arguments) throws Exception {
        open(new Exposures());
    }
}
