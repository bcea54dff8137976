package parcels.claims;

import java.util.concurrent.CompletableFuture;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@Configuration
class ClientConfiguration {
    @Bean(initMethod = "start", destroyMethod = "close")
    CloseableHttpAsyncClient http(@Value("${insurer.connections:0}") int connections) {
        var manager = PoolingAsyncClientConnectionManagerBuilder.create();
        if (connections > 0) {
            manager.setMaxConnTotal(connections).setMaxConnPerRoute(connections);
        }
        return HttpAsyncClients.custom().setConnectionManager(manager.build()).build();
    }
}

@Service
class Insurer {
    private final CloseableHttpAsyncClient http;
    private final String address;

    Insurer(CloseableHttpAsyncClient http, @Value("${upstream}") String address) {
        this.http = http;
        this.address = address;
    }

    CompletableFuture<String> decide(String claim) {
        var request = SimpleRequestBuilder.post(address + "/claims")
                .setBody(claim, ContentType.APPLICATION_JSON)
                .build();
        var decision = new Decision();
        http.execute(request, decision);
        return decision;
    }

    private static class Decision extends CompletableFuture<String> implements FutureCallback<SimpleHttpResponse> {
        @Override
        public void completed(SimpleHttpResponse response) {
            complete(response.getBodyText());
        }

        @Override
        public void failed(Exception e) {
            completeExceptionally(e);
        }

        @Override
        public void cancelled() {
            cancel(false);
        }
    }
}

@RestController
class ClaimController {
    private final Insurer insurer;

    ClaimController(Insurer insurer) {
        this.insurer = insurer;
    }

    @GetMapping("/")
    CompletableFuture<String> claim() {
        return insurer.decide("{\"parcel\": 4711, \"cause\": \"rain\"}").thenApply(word -> "decided: " + word.length());
    }
}
