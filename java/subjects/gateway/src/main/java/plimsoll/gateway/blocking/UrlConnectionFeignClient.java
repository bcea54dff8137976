package plimsoll.gateway.blocking;

import feign.Client;
import feign.Request;
import feign.Request.Options;
import feign.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpMethod;

/** As Feign's default client on {@code HttpURLConnection}, but that one unpacks answers and holds bodies in memory. */
final class UrlConnectionFeignClient implements Client {

    private static final int CHUNK_BYTES = 8 * 1024;

    private final UrlConnections connections;

    UrlConnectionFeignClient(UrlConnections connections) {
        this.connections = connections;
    }

    @Override
    public Response execute(Request request, Options options) throws IOException {
        var call = OutboundCall.current();
        var connection = connections.open(call.request().target().toURL());
        send(call, connection);
        var length = connection.getContentLength();
        return Response.builder()
                .request(request)
                .status(connection.getResponseCode())
                .headers(headers(connection))
                .body(body(call, connection), length < 0 ? null : Integer.valueOf(length))
                .build();
    }

    private static void send(OutboundCall call, HttpURLConnection connection) throws IOException {
        var request = call.request();
        connection.setInstanceFollowRedirects(false);
        connection.setRequestMethod(request.method().name());
        UrlConnections.addHeaders(request, connection::addRequestProperty);
        if (request.hasBody()) {
            connection.setDoOutput(true);
            if (request.contentLength() >= 0) {
                connection.setFixedLengthStreamingMode(request.contentLength());
            } else {
                connection.setChunkedStreamingMode(CHUNK_BYTES);
            }
            try (var out = connection.getOutputStream()) {
                call.writeBody(out);
            }
        }
    }

    /** In the order in which they came, which {@code getHeaderFields()} turns round. */
    private static Map<String, Collection<String>> headers(HttpURLConnection connection) {
        var headers = new LinkedHashMap<String, Collection<String>>();
        for (var i = 1; connection.getHeaderField(i) != null; i++) {
            headers.computeIfAbsent(connection.getHeaderFieldKey(i), name -> new ArrayList<>())
                    .add(connection.getHeaderField(i));
        }
        return headers;
    }

    private static InputStream body(OutboundCall call, HttpURLConnection connection) throws IOException {
        if (call.request().method() == HttpMethod.HEAD) {
            return null;
        }
        return connection.getResponseCode() >= 400 ? connection.getErrorStream() : connection.getInputStream();
    }
}
