package crawler;

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
import support.Backend;
import support.Pages;

/** Says whether a link works, by a connection of its own for each link, as each is another host: here it is always one. */
public final class LinkChecker {
    public static void main(String[] arguments) throws Exception {
        boolean reuse = Boolean.getBoolean("checker.reuse-connections");
        var client = HttpClients.custom()
                .disableAutomaticRetries()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(200)
                        .setMaxConnTotal(200)
                        .build())
                .setConnectionReuseStrategy((request, response, context) -> reuse)
                .build();
        var server = new Server(new QueuedThreadPool(200));
        var connector = new ServerConnector(server);
        connector.setPort(Backend.PORT);
        server.addConnector(connector);
        server.setHandler(new Pages(() -> check(client)));
        server.start();
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
