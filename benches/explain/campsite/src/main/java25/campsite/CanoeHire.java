package campsite;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** Canoes for hire, on Jetty's virtual threads; limited by the connections of a client made with its defaults. */
final class CanoeHire extends Handler.Abstract {
    private final CloseableHttpClient client;

    private CanoeHire(int connections) {
        client = connections == 0
                ? HttpClients.createDefault()
                : HttpClients.custom()
                        .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                                .setMaxConnPerRoute(connections)
                                .setMaxConnTotal(connections)
                                .build())
                        .build();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        var canoe = client.execute(
                new HttpGet(URI.create(Office.URL).resolve("/canoes/free")),
                answer -> EntityUtils.toString(answer.getEntity()));
        var text = "canoe " + canoe.length();
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    public static void main(String[] arguments) throws Exception {
        var server = new Server(new VirtualThreadPool());
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Office.PORT);
        server.addConnector(connector);
        server.setHandler(new CanoeHire(Integer.getInteger("canoes.connections", 0)));
        server.start();
    }
}
