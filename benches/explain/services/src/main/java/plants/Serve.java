package plants;

import com.sun.net.httpserver.HttpServer;
import io.undertow.Undertow;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The servers of the plants, with room for more users than a plant is loaded with, unless it says otherwise. */
public final class Serve {
    public interface Answer {
        String to(String path) throws Exception;
    }

    static final int PORT = Integer.getInteger("server.port", 8080);
    static final int ROOM = 400;

    private Serve() {}

    static Tomcat tomcat(Answer answer) throws LifecycleException {
        return tomcat(connector -> connector.setProperty("maxThreads", "" + ROOM), answer);
    }

    static Tomcat tomcat(java.util.function.Consumer<Connector> settings, Answer answer) throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/tomcat-" + PORT);
        var connector = new Connector();
        connector.setPort(PORT);
        settings.accept(connector);
        tomcat.setConnector(connector);
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "plant", new Plant(answer));
        context.addServletMappingDecoded("/*", "plant");
        tomcat.start();
        return tomcat;
    }

    private static final class Plant extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient Answer answer;

        Plant(Answer answer) {
            this.answer = answer;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                var body = answer.to(request.getRequestURI()).getBytes(StandardCharsets.UTF_8);
                response.setContentLength(body.length);
                response.getOutputStream().write(body);
            } catch (Exception e) {
                response.sendError(503, e.toString());
            }
        }
    }

    static Server jetty(Answer answer) throws Exception {
        return jetty(new Server(new QueuedThreadPool(ROOM)), answer);
    }

    static Server jetty(Server server, Answer answer) throws Exception {
        if (server.getConnectors().length == 0) {
            var connector = new ServerConnector(server);
            connector.setPort(PORT);
            server.addConnector(connector);
        }
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                try {
                    var body = answer.to(request.getHttpURI().getPath());
                    Content.Sink.write(response, true, body, callback);
                } catch (Exception e) {
                    Response.writeError(request, response, callback, 503, e.toString());
                }
                return true;
            }
        });
        server.start();
        return server;
    }

    static Undertow undertow(int workers, Answer answer) {
        var server = Undertow.builder()
                .addHttpListener(PORT, "127.0.0.1")
                .setWorkerThreads(workers)
                .setHandler(new io.undertow.server.handlers.BlockingHandler(exchange -> {
                    try {
                        var body = answer.to(exchange.getRequestPath());
                        exchange.getResponseSender().send(body);
                    } catch (Exception e) {
                        exchange.setStatusCode(503).getResponseSender().send(e.toString());
                    }
                }))
                .build();
        server.start();
        return server;
    }

    static HttpServer jdk(Answer answer) throws IOException {
        return jdk(Executors.newFixedThreadPool(ROOM), answer);
    }

    static HttpServer jdk(Executor threads, Answer answer) throws IOException {
        // Without these it waits 40 ms for acknowledgements, and closes all but 200 idle connections.
        System.setProperty("sun.net.httpserver.nodelay", System.getProperty("sun.net.httpserver.nodelay", "true"));
        System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 1000);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body;
                int status = 200;
                try {
                    body = answer.to(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
                } catch (Exception e) {
                    status = 503;
                    body = e.toString().getBytes(StandardCharsets.UTF_8);
                }
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }

    static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
