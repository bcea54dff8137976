package plants;

import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

/** Reactor Netty on both sides, with a small pool of connections. */
final class ReactorPool {
    public static void main(String[] arguments) {
        var pool = ConnectionProvider.builder("orders")
                .maxConnections(Integer.getInteger("connections", 6))
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(Duration.ofSeconds(30))
                .build();
        serve(HttpClient.create(pool));
    }

    /** Serves whatever the upstream answers that client. */
    static void serve(HttpClient client) {
        HttpServer.create()
                .port(Serve.PORT)
                .handle((request, response) -> {
                    Mono<String> call = client.get()
                            .uri(Upstream.URL.toString())
                            .responseContent()
                            .aggregate()
                            .asString();
                    return response.sendString(call);
                })
                .bindNow()
                .onDispose()
                .block();
    }
}
