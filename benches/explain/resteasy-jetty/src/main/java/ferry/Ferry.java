package ferry;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher;

/** The ferry company's server: a resource of RESTEasy in a servlet of Jetty, with more threads than passengers. */
public final class Ferry {
    static final URI HARBOUR = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    private static Page page;

    interface Page {
        String render() throws Exception;
    }

    /** Where passengers ask. */
    @Path("/")
    public static final class Pier {
        @GET
        @Produces("text/plain")
        public String ask() throws Exception {
            return page.render();
        }
    }

    /** All that RESTEasy serves. */
    public static final class Company extends Application {
        @Override
        public Set<Class<?>> getClasses() {
            return Set.of(Pier.class);
        }
    }

    private Ferry() {}

    static void open(Page page) throws Exception {
        open(context -> context, page);
    }

    static void open(Function<ServletContextHandler, Handler> equipped, Page page) throws Exception {
        Ferry.page = page;
        var servlet = new ServletHolder(new HttpServletDispatcher());
        servlet.setInitParameter("jakarta.ws.rs.Application", Company.class.getName());
        servlet.setAsyncSupported(true);
        var context = new ServletContextHandler("/");
        context.addServlet(servlet, "/*");
        var server = new Server(new QueuedThreadPool(250));
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.getInteger("server.port", 8080));
        server.addConnector(connector);
        server.setHandler(equipped.apply(context));
        server.start();
    }

    static String askHarbour() throws IOException {
        try (var body = HARBOUR.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
