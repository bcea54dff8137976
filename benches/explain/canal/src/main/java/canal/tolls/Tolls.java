package canal.tolls;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.startup.Tomcat;

/** Receipts for tolls, each signed by the fiscal box. */
public final class Tolls extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient ThreadLocal<FiscalBox> boxes = ThreadLocal.withInitial(FiscalBox::new);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var ship = request.getPathInfo().substring(1);
        var signature = boxes.get().sign("toll of " + ship + ": 12.40 EUR\n");
        response.setContentType("text/plain");
        response.getWriter().println("12.40 EUR, signed " + Integer.toHexString(signature.hashCode()));
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.getInteger("server.port", 8080);
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/tolls-" + port);
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "tolls", new Tolls());
        context.addServletMappingDecoded("/receipts/*", "tolls");
        tomcat.start();
    }
}
