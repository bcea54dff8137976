package plants;

import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

/** Reactor Netty on both sides, with few streams on the one connection of its client, over HTTP/2. */
final class ReactorStreams {
    public static void main(String[] arguments) {
        var streams = Http2AllocationStrategy.builder()
                .maxConnections(1)
                .maxConcurrentStreams(Integer.getInteger("streams", 5))
                .build();
        var pool = ConnectionProvider.builder("orders")
                .allocationStrategy(streams)
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(Duration.ofSeconds(30))
                .build();
        var client = HttpClient.create(pool).protocol(HttpProtocol.H2C);
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
