package observatory;

import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import org.apache.hc.client5.http.classic.HttpClient;

/** Time at the telescope, which the dome is asked for, by as many threads as the server's settings allow. */
public final class TelescopeTime extends Observatory {
    /** The nights that are free. */
    @Path("/")
    public record Nights(HttpClient dome) {
        @GET
        public String free() throws IOException {
            return "free " + ask(dome, "/nights").length();
        }
    }

    @Override
    Object resource(Settings settings, Environment environment) {
        return new Nights(client(settings, environment));
    }

    public static void main(String[] arguments) throws Exception {
        open(new TelescopeTime());
    }
}
