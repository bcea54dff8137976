package observatory;

import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import org.apache.hc.client5.http.classic.HttpClient;

/** Surveys behind a key that is renewed under a lock: for each request, unless it is told how long the key is good. */
public final class SkyKeys extends Observatory {
    /** The key, and when it was fetched. */
    static final class KeyHolder {
        private final HttpClient dome;
        private final long nanos = Long.getLong("sky.key-seconds", 0) * 1_000_000_000L;
        private String key;
        private long fetched;

        KeyHolder(HttpClient dome) {
            this.dome = dome;
        }

        synchronized String key() throws IOException {
            if (key == null || System.nanoTime() - fetched >= nanos) {
                key = ask(dome, "/key");
                fetched = System.nanoTime();
            }
            return key;
        }
    }

    /** The surveys. */
    @Path("/")
    public static final class Surveys {
        private final HttpClient dome;
        private final KeyHolder holder;

        Surveys(HttpClient dome) {
            this.dome = dome;
            holder = new KeyHolder(dome);
        }

        @GET
        public String survey() throws IOException {
            return "survey " + ask(dome, "/survey?key=" + holder.key().length()).length();
        }
    }

    @Override
    Object resource(Settings settings, Environment environment) {
        return new Surveys(client(settings, environment));
    }

    public static void main(String[] arguments) throws Exception {
        open(new SkyKeys());
    }
}
