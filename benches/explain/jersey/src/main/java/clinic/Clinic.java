package clinic;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** The clinic's server: a resource of Jersey on Grizzly. */
public final class Clinic {
    static final URI HOSPITAL = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    interface Page {
        String render() throws Exception;
    }

    /** Where patients ask. */
    @Path("/")
    public static final class Reception {
        private final Page page;

        Reception(Page page) {
            this.page = page;
        }

        @GET
        @Produces("text/plain")
        public String ask() throws Exception {
            return page.render();
        }
    }

    private Clinic() {}

    static void open(int workers, Page page) throws IOException {
        var port = Integer.getInteger("server.port", 8080);
        var resources = new ResourceConfig().register(new Reception(page));
        var server =
                GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:" + port), resources, false);
        var transport = server.getListeners().iterator().next().getTransport();
        transport.setWorkerThreadPoolConfig(
                ThreadPoolConfig.defaultConfig().setCorePoolSize(workers).setMaxPoolSize(workers));
        server.start();
        stay();
    }

    /** Grizzly's threads are daemons. */
    private static void stay() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static String askHospital() throws IOException {
        try (var body = HOSPITAL.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
