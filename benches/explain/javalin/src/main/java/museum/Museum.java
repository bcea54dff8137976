package museum;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The museum's server, by Javalin with room for more visitors than come, and where its back ends are. */
final class Museum {
    static final URI DEPOT = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    static final String REDIS = System.getProperty("stub", "127.0.0.1:6379");

    interface Page {
        String render() throws Exception;
    }

    private Museum() {}

    static void open(Page page) {
        Javalin.create(config -> {
                    config.showJavalinBanner = false;
                    config.jetty.threadPool = new QueuedThreadPool(250);
                })
                .get("/", context -> context.result(page.render()))
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }

    static String askDepot() throws IOException {
        try (var body = DEPOT.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
