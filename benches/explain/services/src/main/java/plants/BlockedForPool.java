package plants;

import java.time.Duration;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Threads of Tomcat that block for a reactive client with few connections. */
final class BlockedForPool {
    public static void main(String[] arguments) throws Exception {
        var pool = ConnectionProvider.builder("stock")
                .maxConnections(Integer.getInteger("connections", 6))
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(Duration.ofSeconds(30))
                .build();
        var client = HttpClient.create(pool);
        Serve.tomcat(path -> client.get()
                .uri(Upstream.URL.toString())
                .responseContent()
                .aggregate()
                .asString()
                .block());
    }
}
