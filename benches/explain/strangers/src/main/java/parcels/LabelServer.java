package parcels;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import support.Backend;
import support.Pages;

/** Labels of parcels, each from the carrier's service by Apache's asynchronous client, which has few connections. */
public final class LabelServer {
    private static final int CONNECTIONS = Integer.getInteger("labels.carrier.connections", 6);

    public static void main(String[] arguments) throws Exception {
        var client = HttpAsyncClients.custom()
                .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(CONNECTIONS)
                        .setMaxConnTotal(4 * CONNECTIONS)
                        .build())
                .build();
        client.start();
        var threads = new QueuedThreadPool(300);
        threads.setName("labels");
        var server = new Server(threads);
        var connector = new ServerConnector(server);
        connector.setPort(Backend.PORT);
        server.addConnector(connector);
        server.setHandler(new Pages(() -> label(client)));
        server.start();
    }

    private static String label(CloseableHttpAsyncClient client) {
        var request = SimpleRequestBuilder.get(Backend.ADDRESS).build();
        return CompletableFuture.completedFuture(request)
                .thenApply(ready -> ask(client, ready))
                .thenApply(body -> "<label>" + body.length() + "</label>")
                .join();
    }

    private static String ask(CloseableHttpAsyncClient client, SimpleHttpRequest request) {
        try {
            return client.execute(request, null).get().getBodyText();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
