package orchard;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.WebClientBuilder;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** The orchard's server and its client, by Armeria. */
final class Orchard {
    static final URI MARKET = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    private Orchard() {}

    static ServerBuilder server() {
        return Server.builder().http(Integer.getInteger("server.port", 8080));
    }

    static WebClientBuilder market() {
        return WebClient.builder("h1c://" + MARKET.getAuthority()).responseTimeoutMillis(20_000);
    }

    /** An answer once the market has given one. */
    static HttpResponse later(CompletableFuture<AggregatedHttpResponse> asked) {
        return HttpResponse.of(asked.thenApply(found -> found.status().isSuccess()
                ? HttpResponse.of("price " + found.contentUtf8().length())
                : HttpResponse.of(HttpStatus.BAD_GATEWAY)));
    }
}
