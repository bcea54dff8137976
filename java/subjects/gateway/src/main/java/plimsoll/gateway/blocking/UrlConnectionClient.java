package plimsoll.gateway.blocking;

import java.io.IOException;
import java.io.InputStream;
import org.springframework.http.HttpHeaders;

/**
 * Either client on {@code HttpURLConnection}, with what that loses made good where it can be: of the answer 401 to a request with
 * a body it has status and headers, but drops the body to ask for credentials and try again.
 */
final class UrlConnectionClient implements BlockingClient {

    private static final int UNAUTHORIZED = 401;

    private final BlockingClient client;

    UrlConnectionClient(BlockingClient client) {
        this.client = client;
    }

    @Override
    public void call(OutboundCall call, AnswerConsumer consumer) throws IOException {
        client.call(call, (status, headers, body) -> {
            if (status == UNAUTHORIZED && call.request().hasBody()) {
                consumer.accept(status, withoutBody(headers), InputStream.nullInputStream());
            } else {
                consumer.accept(status, headers, body);
            }
        });
    }

    private static HttpHeaders withoutBody(HttpHeaders headers) {
        var kept = new HttpHeaders();
        kept.putAll(headers);
        kept.remove(HttpHeaders.CONTENT_ENCODING);
        kept.setContentLength(0);
        return kept;
    }
}
