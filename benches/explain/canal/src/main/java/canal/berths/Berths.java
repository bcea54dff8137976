package canal.berths;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** Free berths, on Tomcat with NIO2, which skippers ask for by keeping a connection open. */
public final class Berths extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final URI MARINA = URI.create(System.getProperty("upstream"));

    private final transient HttpClient marina = HttpClient.newHttpClient();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var question = HttpRequest.newBuilder(MARINA.resolve("/berths" + request.getPathInfo()))
                .build();
        try {
            var berths = marina.send(question, BodyHandlers.ofString()).body();
            response.setContentType("application/json");
            response.getWriter().print("{\"free\": " + berths.length() % 12 + "}");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.getInteger("server.port", 8080);
        var connector = new Connector("org.apache.coyote.http11.Http11Nio2Protocol");
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxConnections", System.getProperty("berths.max-connections", "10"));
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/berths-" + port);
        tomcat.setConnector(connector);
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "berths", new Berths());
        context.addServletMappingDecoded("/berths/*", "berths");
        tomcat.start();
    }
}
