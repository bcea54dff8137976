package crawler;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.LoggerFactory;
import support.Backend;
import support.Pages;

/** Says whether a link works, by a client of its own for each link, as each is another host: here it is always one. */
public final class LinkChecker {
    private static final boolean REUSES = Boolean.getBoolean("checker.reuse-connections");

    public static void main(String[] arguments) throws Exception {
        // Logback writes everything unless it is told not to, which would be the limit.
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        var client = client();
        var server = new Server(new QueuedThreadPool(200));
        var connector = new ServerConnector(server);
        connector.setPort(Backend.PORT);
        server.addConnector(connector);
        server.setHandler(new Pages(() -> REUSES ? check(client) : checkAlone()));
        server.start();
    }

    private static CloseableHttpClient client() {
        return HttpClients.custom()
                .disableAutomaticRetries()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(200)
                        .setMaxConnTotal(200)
                        .build())
                .build();
    }

    private static String checkAlone() {
        try (var client = client()) {
            return check(client);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String check(CloseableHttpClient client) {
        try {
            return client.execute(new HttpGet(Backend.ADDRESS), response -> {
                EntityUtils.consume(response.getEntity());
                return "status " + response.getCode();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
