package plimsoll.gateway.blocking;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import plimsoll.gateway.GatewayProperties.Timeouts;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.HeaderText;
import plimsoll.gateway.call.Reason;

/** Opens the JDK's {@code HttpURLConnection} for the two clients that stand on it. */
final class UrlConnections {

    private static final Set<String> METHODS = Set.of("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE");

    private final Timeouts timeouts;
    private final SSLContext ssl;
    // One for all connections: it is part of what they are kept under. Null until there is one with TLS.
    private CallSockets sockets;

    /** With the given TLS context, or the JDK's if it is null. */
    UrlConnections(Timeouts timeouts, SSLContext ssl) {
        this.timeouts = timeouts;
        this.ssl = ssl;
    }

    /** A connection object for the call that this thread makes; nothing is sent yet. */
    HttpURLConnection open(URL url) throws IOException {
        var call = OutboundCall.current();
        refuseWhatCannotBeSent(call.request());
        var connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
        if (connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets());
        }
        connection.setConnectTimeout((int) timeouts.connect().toMillis());
        connection.setReadTimeout((int) timeouts.answer().toMillis());
        var disconnecting = new ReentrantLock();
        call.onCancel(() -> {
            disconnecting.lock();
            try {
                connection.disconnect();
            } finally {
                disconnecting.unlock();
            }
        });
        return connection;
    }

    private synchronized CallSockets sockets() {
        if (sockets == null) {
            sockets = new CallSockets(
                    ssl == null ? HttpsURLConnection.getDefaultSSLSocketFactory() : ssl.getSocketFactory());
        }
        return sockets;
    }

    /** Sets the headers of the call, and a media type where there is a body without one: else it would say that this is a form. */
    static void addHeaders(CallRequest request, BiConsumer<String, String> headers) {
        request.headers()
                .forEach((name, values) -> values.forEach(value -> headers.accept(name, HeaderText.fromBytes(value))));
        if (request.hasBody() && !request.headers().containsHeader(HttpHeaders.CONTENT_TYPE)) {
            headers.accept(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_OCTET_STREAM_VALUE);
        }
    }

    private static void refuseWhatCannotBeSent(CallRequest request) {
        var method = request.method();
        if (!METHODS.contains(method.name())) {
            throw new CallFailure(Reason.NOT_SUPPORTED, "HttpURLConnection cannot send " + method);
        }
        var withBody = method != HttpMethod.GET && method != HttpMethod.HEAD && method != HttpMethod.OPTIONS;
        if (request.hasBody() && !withBody) {
            throw new CallFailure(
                    Reason.NOT_SUPPORTED,
                    "HttpURLConnection cannot send " + method + " with a body: it would send POST");
        }
    }
}
