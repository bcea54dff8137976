package hospital.rounds;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.WebClientBuilder;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The start of each service: one resource on Armeria, and a client of the hospital's other systems. */
final class Rounds {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Rounds() {}

    static void serve(String path, HttpService resource) {
        Server.builder()
                .http(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)))
                .requestTimeout(PATIENCE)
                .service(path, resource)
                .build()
                .start()
                .join();
    }

    static HttpResponse later(CompletableFuture<String> text) {
        return HttpResponse.of(text.thenApply(HttpResponse::of));
    }

    /** A client over HTTP/1, as not all systems are new. */
    static WebClientBuilder systems() {
        var url = System.getProperty("upstream", "http://127.0.0.1:9");
        return WebClient.builder(url.replace("http:", "h1c:")).responseTimeout(PATIENCE);
    }
}
