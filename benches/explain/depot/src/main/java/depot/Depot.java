package depot;

import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** The tram depot's servers, embedded, each with room for more requests than come unless it is told otherwise. */
final class Depot {
    static final URI CONTROL = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    static final int PORT = Integer.getInteger("server.port", 8080);

    interface Page {
        String render() throws Exception;
    }

    interface Setting {
        void apply(Connector connector, Context context);
    }

    private Depot() {}

    static void tomcat(Setting setting, Page page) throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/depot-" + PORT);
        var connector = new Connector();
        connector.setPort(PORT);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", "200");
        connector.setProperty("maxKeepAliveRequests", "-1");
        tomcat.setConnector(connector);
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "page", new PageServlet(page));
        context.addServletMappingDecoded("/*", "page");
        setting.apply(connector, context);
        tomcat.start();
    }

    static void undertow(Page page) {
        undertow(new BlockingHandler(exchange -> exchange.getResponseSender().send(page.render())));
    }

    static void undertow(HttpHandler handler) {
        Undertow.builder()
                .addHttpListener(PORT, "127.0.0.1")
                .setWorkerThreads(200)
                .setHandler(handler)
                .build()
                .start();
    }

    static String askControl() throws IOException {
        try (var body = CONTROL.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static final class PageServlet extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient Page page;

        PageServlet(Page page) {
            this.page = page;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                var body = page.render().getBytes(StandardCharsets.UTF_8);
                response.setContentLength(body.length);
                response.getOutputStream().write(body);
            } catch (Exception e) {
                response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, e.toString());
            }
        }
    }
}
