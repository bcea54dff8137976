package hospital;

import java.util.function.Consumer;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The servers that wards are deployed on. */
final class Reception {
    private static final int PORT = Integer.getInteger("server.port", 8080);

    private Reception() {}

    static void openTomcat(Ward ward, Consumer<Connector> settings) throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        var connector = new Connector("HTTP/1.1");
        connector.setPort(PORT);
        connector.setProperty("address", "127.0.0.1");
        settings.accept(connector);
        tomcat.setConnector(connector);
        var context = tomcat.addContext("", null);
        var wrapper = Tomcat.addServlet(context, "ward", ward);
        wrapper.setAsyncSupported(true);
        wrapper.addMapping("/*");
        tomcat.start();
    }

    static void openJetty(Ward ward) throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(PORT);
        server.addConnector(connector);
        var context = new ServletContextHandler("/");
        var holder = new ServletHolder(ward);
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/*");
        server.setHandler(context);
        server.start();
    }
}
