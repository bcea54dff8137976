package campsite;

import jakarta.servlet.http.HttpServlet;
import java.util.concurrent.Executor;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Starts Tomcat with one servlet. */
final class Pages {
    private Pages() {}

    static void serve(HttpServlet page, Executor threads, boolean noDelay) throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/campsite-" + Office.PORT);
        tomcat.setPort(Office.PORT);
        var connector = tomcat.getConnector();
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("tcpNoDelay", String.valueOf(noDelay));
        if (threads != null) {
            connector.getProtocolHandler().setExecutor(threads);
        }
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "page", page);
        context.addServletMappingDecoded("/", "page");
        tomcat.start();
    }
}
