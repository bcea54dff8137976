package observatory;

import io.dropwizard.client.HttpClientBuilder;
import io.dropwizard.client.HttpClientConfiguration;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import io.dropwizard.util.Duration;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import org.apache.hc.client5.http.classic.HttpClient;

/** Healthy: guided tours, while a survey's eight threads fight for the one connection of a client of their own. */
public final class Survey extends Observatory {
    /** The tours. */
    @Path("/")
    public record Tours(HttpClient dome) {
        @GET
        public String next() throws IOException {
            return "tour " + ask(dome, "/tours").length();
        }
    }

    /** The survey, which goes on for ever. */
    record Sweep(HttpClient dome, ExecutorService threads) implements Managed {
        @Override
        public void start() {
            for (int field = 0; field < 8; field++) {
                threads.execute(this::sweep);
            }
        }

        private void sweep() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    ask(dome, "/fields");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    Object resource(Settings settings, Environment environment) {
        var slow = new HttpClientConfiguration();
        slow.setMaxConnectionsPerRoute(1);
        slow.setTimeout(Duration.seconds(60));
        slow.setConnectionRequestTimeout(Duration.seconds(60));
        var dome = new HttpClientBuilder(environment).using(slow).build("survey");
        var threads = environment
                .lifecycle()
                .executorService("survey-%d")
                .minThreads(8)
                .maxThreads(8)
                .build();
        environment.lifecycle().manage(new Sweep(dome, threads));
        return new Tours(client(settings, environment));
    }

    public static void main(String[] arguments) throws Exception {
        open(new Survey());
    }
}
