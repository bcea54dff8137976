package brewery;

import io.jooby.ExecutionMode;
import io.jooby.Jooby;
import io.jooby.ServerOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The brewery's server, by Jooby on Netty, with room for more guests than come unless it is told otherwise. */
final class Brewery {
    static final URI MALTSTER = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    interface Page {
        String render() throws Exception;
    }

    private Brewery() {}

    static void open(Page page) {
        open(ExecutionMode.WORKER, Integer.getInteger("brewery.workers", 200), page);
    }

    static void open(ExecutionMode mode, int workers, Page page) {
        var options = new ServerOptions();
        options.setHost("127.0.0.1");
        options.setPort(Integer.getInteger("server.port", 8080));
        options.setWorkerThreads(workers);
        Jooby.runApp(new String[0], mode, app -> {
            app.setServerOptions(options);
            app.get("/", context -> page.render());
        });
    }

    static String askMaltster() throws IOException {
        try (var body = MALTSTER.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
