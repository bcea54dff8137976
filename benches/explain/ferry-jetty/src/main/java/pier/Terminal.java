package pier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.CompletableResponseListener;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Where the terminal's services run: a server of Jetty whose handler answers once its stage is complete. */
final class Terminal {
    static final URI PARTNER = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Terminal() {}

    static void open(Function<String, CompletionStage<?>> service) throws Exception {
        var threads = new QueuedThreadPool(48, 8);
        threads.setName("terminal");
        var server = new Server(threads);
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.getInteger("server.port", 8080));
        connector.setAcceptQueueSize(512);
        server.addConnector(connector);
        server.setHandler(new StageHandler(service));
        server.start();
        server.join();
    }

    static HttpClient client(int connections) throws Exception {
        var client = new HttpClient();
        client.setMaxConnectionsPerDestination(connections);
        client.setMaxRequestsQueuedPerDestination(4_096);
        client.setConnectTimeout(2_000);
        client.start();
        return client;
    }

    static CompletionStage<String> ask(HttpClient client, String path) {
        return new CompletableResponseListener(client.newRequest(PARTNER.resolve(path)))
                .send()
                .thenApply(ContentResponse::getContentAsString);
    }

    private static final class StageHandler extends Handler.Abstract.NonBlocking {
        private final Function<String, CompletionStage<?>> service;

        StageHandler(Function<String, CompletionStage<?>> service) {
            this.service = service;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            service.apply(Request.getPathInContext(request)).whenComplete((answer, failure) -> {
                if (failure != null) {
                    Response.writeError(request, response, callback, failure);
                    return;
                }
                try {
                    var json = ByteBuffer.wrap(MAPPER.writeValueAsBytes(answer));
                    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                    response.write(true, json, callback);
                } catch (JsonProcessingException e) {
                    Response.writeError(request, response, callback, e);
                }
            });
            return true;
        }
    }
}
