package plants;

import java.time.Duration;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
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
        ReactorPool.serve(HttpClient.create(pool).protocol(HttpProtocol.H2C));
    }
}
