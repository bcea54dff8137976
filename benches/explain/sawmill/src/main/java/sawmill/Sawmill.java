package sawmill;

import com.sun.net.httpserver.HttpServer;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** Servers of the sawmill, and its timber exchange, which is asked over HTTP or as a database. */
final class Sawmill {
    static final String EXCHANGE = System.getProperty("upstream", "http://127.0.0.1:9/");
    static final int PORT = Integer.getInteger("server.port", 8080);

    interface Sheet {
        String fill() throws Exception;
    }

    private Sawmill() {}

    static void tomcat(HttpServlet servlet) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/sawmill-" + PORT);
        tomcat.setPort(PORT);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "sheet", servlet).setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "sheet");
        tomcat.start();
    }

    static void jetty(HttpServlet servlet) throws Exception {
        var server = new Server(new InetSocketAddress("127.0.0.1", PORT));
        var context = new ServletContextHandler("/");
        context.addServlet(new ServletHolder(servlet), "/*");
        server.setHandler(context);
        server.start();
    }

    /** Without an executor, where none is given. */
    static void jdk(Executor executor, Sheet sheet) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 1_000);
        if (executor != null) {
            server.setExecutor(executor);
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = filled(sheet).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    private static String filled(Sheet sheet) throws IOException {
        try {
            return sheet.fill();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    static String ask(String what) {
        try (var answer = URI.create(EXCHANGE).resolve(what).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
