package railway.delays;

import java.util.concurrent.CompletableFuture;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;

/** The company that runs the tracks. */
class Network {
    private static final int CONNECTIONS = 150;

    private final CloseableHttpAsyncClient client;
    private final String address;

    Network(String address) {
        this.address = address;
        client = HttpAsyncClients.custom()
                .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(CONNECTIONS)
                        .setMaxConnTotal(CONNECTIONS)
                        .build())
                .build();
        client.start();
    }

    CompletableFuture<Integer> minutesLate(String train) {
        return answer(SimpleRequestBuilder.get(address + "/trains/" + train).build())
                .thenApply(body -> body.length() / 9);
    }

    private CompletableFuture<String> answer(SimpleHttpRequest request) {
        var answer = new CompletableFuture<String>();
        client.execute(request, new FutureCallback<SimpleHttpResponse>() {
            @Override
            public void completed(SimpleHttpResponse response) {
                answer.complete(response.getBodyText());
            }

            @Override
            public void failed(Exception failure) {
                answer.completeExceptionally(failure);
            }

            @Override
            public void cancelled() {
                answer.cancel(false);
            }
        });
        return answer;
    }
}
