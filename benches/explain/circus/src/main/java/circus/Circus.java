package circus;

import com.sun.net.httpserver.HttpServer;
import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ThreadPool;

/** Servers of the circus, bare, each with the threads that it is given. */
final class Circus {
    static final URI OFFICE = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    static final int PORT = Integer.getInteger("server.port", 8080);

    interface Page {
        String render() throws Exception;
    }

    private Circus() {}

    static void tomcat(Executor threads, Page page) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/circus-" + PORT);
        tomcat.setPort(PORT);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        if (threads != null) {
            tomcat.getConnector().getProtocolHandler().setExecutor(threads);
        }
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "page", new HttpServlet() {
            private static final long serialVersionUID = 1;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getOutputStream().write(bytes(page));
            }
        });
        context.addServletMappingDecoded("/*", "page");
        tomcat.start();
    }

    static void jetty(ThreadPool threads, Page page) throws Exception {
        var server = new Server(threads);
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(PORT);
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback done) throws IOException {
                response.write(true, ByteBuffer.wrap(bytes(page)), done);
                return true;
            }
        });
        server.start();
    }

    static void undertow(int threads, Page page) {
        Undertow.builder()
                .addHttpListener(PORT, "127.0.0.1")
                .setWorkerThreads(threads)
                .setHandler(new BlockingHandler(
                        exchange -> exchange.getResponseSender().send(ByteBuffer.wrap(bytes(page)))))
                .build()
                .start();
    }

    static void jdk(Executor threads, Page page) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 1_000);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                var body = bytes(page);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    static String askOffice() throws IOException {
        try (var body = OFFICE.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] bytes(Page page) throws IOException {
        try {
            return page.render().getBytes(StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
