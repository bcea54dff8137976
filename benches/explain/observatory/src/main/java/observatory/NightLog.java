package observatory;

import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The log of the night, with Dropwizard's log of requests on a console that is read slowly: its full queue blocks. */
public final class NightLog extends Observatory {
    /** The entries. */
    @Path("/")
    public static final class Entries {
        @GET
        public String last() {
            return "clouds until two";
        }
    }

    @Override
    Object resource(Settings settings, Environment environment) {
        return new Entries();
    }

    public static void main(String[] arguments) throws Exception {
        open(new NightLog(), "night-log.yml");
    }
}
