package newspaper;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import spark.Spark;

/** The newspaper's server, by Spark on Jetty, with room for more readers than come unless it is told otherwise. */
final class Newspaper {
    static final URI AGENCY = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    interface Page {
        String render() throws Exception;
    }

    private Newspaper() {}

    static void open(Page page) {
        int threads = Integer.getInteger("newspaper.threads", 200);
        Spark.ipAddress("127.0.0.1");
        Spark.port(Integer.getInteger("server.port", 8080));
        Spark.threadPool(threads, Math.min(threads, 8), 60_000);
        Spark.get("/", (request, response) -> page.render());
    }

    static String askAgency() throws IOException {
        try (var body = AGENCY.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
