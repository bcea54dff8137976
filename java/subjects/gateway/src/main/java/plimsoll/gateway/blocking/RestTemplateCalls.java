package plimsoll.gateway.blocking;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Set;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.GatewayProperties.Client;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.ForwardedHeaders;
import plimsoll.gateway.call.Reason;

/** Makes calls by {@link RestTemplate}; bodies are streamed, whatever their size. */
@Service
@Profile("!webclient")
class RestTemplateCalls {

    private static final int UNAUTHORIZED = 401;
    private static final Set<HttpMethod> BODIES_OF_SIMPLE = Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.DELETE);

    private final RestTemplate restTemplate;
    private final GatewayProperties properties;

    RestTemplateCalls(RestTemplate restTemplate, GatewayProperties properties) {
        this.restTemplate = restTemplate;
        this.properties = properties;
    }

    /**
     * Calls, and passes the answer on.
     *
     * @param body the request's, as the caller sends it
     * @return the answer's status
     * @throws CallerGoneException if the caller's connection fails
     * @throws CallFailure if the upstream's does because the call took too long; for other reasons, what the client throws
     */
    int call(CallRequest request, InputStream body, HttpServletResponse response) {
        checkThatItCanBeSent(request);
        try (var deadline = CallDeadline.begin(properties.timeouts().total())) {
            try {
                return restTemplate.execute(
                        request.target(),
                        request.method(),
                        outgoing -> prepare(outgoing, request, body, deadline),
                        answer -> passOn(answer, request, response, deadline));
            } catch (RuntimeException | StackOverflowError e) {
                // Not every failure, such as one in a TLS handshake, makes HttpURLConnection close its socket.
                deadline.abort();
                if (deadline.isExpired()) {
                    throw new CallFailure(
                            Reason.RESPONSE_TIMEOUT, "the call took longer than gateway.timeouts.total", e);
                }
                throw e;
            }
        }
    }

    private void checkThatItCanBeSent(CallRequest request) {
        var method = request.method();
        if (isSimple() && (method == HttpMethod.PATCH || request.hasBody() && !BODIES_OF_SIMPLE.contains(method))) {
            var what = request.hasBody() ? " with a body" : "";
            throw new CallFailure(Reason.NOT_SUPPORTED, "HttpURLConnection cannot send " + method + what);
        }
    }

    private boolean isSimple() {
        return properties.client() == Client.RESTTEMPLATE_SIMPLE;
    }

    private static void prepare(
            ClientHttpRequest outgoing, CallRequest request, InputStream body, CallDeadline deadline) {
        outgoing.getHeaders().putAll(request.headers());
        if (request.hasBody()) {
            if (outgoing.getHeaders().getContentType() == null) {
                // Else HttpURLConnection would say that it is a form.
                outgoing.getHeaders().setContentType(MediaType.APPLICATION_OCTET_STREAM);
            }
            ((StreamingHttpOutputMessage) outgoing).setBody(upstream -> send(body, upstream, deadline));
        }
    }

    /** Where the caller's body ends too soon the connection is gone at once: else the upstream may take the part for the whole. */
    private static void send(InputStream body, OutputStream upstream, CallDeadline deadline) throws IOException {
        var pieces = new Pieces(body);
        while (true) {
            int read;
            try {
                read = pieces.next();
            } catch (IOException e) {
                deadline.abort();
                throw new CallerGoneException(e);
            }
            if (read < 0) {
                return;
            }
            upstream.write(pieces.buffer, 0, read);
        }
    }

    private int passOn(
            ClientHttpResponse answer, CallRequest request, HttpServletResponse response, CallDeadline deadline)
            throws IOException {
        try {
            deadline.check();
            var status = answer.getStatusCode().value();
            var headers = ForwardedHeaders.toCaller(status, answer.getHeaders());
            response.setStatus(status);
            headers.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
            if (status == UNAUTHORIZED && request.hasBody() && isSimple()) {
                // HttpURLConnection drops the body to ask for credentials.
                response.setContentLength(0);
            } else if (request.method() != HttpMethod.HEAD) {
                passOn(answer, headers, response, deadline);
            }
            deadline.check();
            return status;
        } catch (IOException | RuntimeException e) {
            // Clients read the rest of an answer before they let go of it; of one that failed that must not happen.
            deadline.abort();
            throw e;
        }
    }

    private static void passOn(
            ClientHttpResponse answer, HttpHeaders headers, HttpServletResponse response, CallDeadline deadline)
            throws IOException {
        var body = answer.getBody();
        var length = headers.getContentLength();
        if (length < 0 && body.available() == 0) {
            // The body may be a long time coming.
            response.flushBuffer();
        }
        copy(body, response.getOutputStream(), length, deadline);
    }

    /**
     * With a length of -1 each piece is passed on as it comes, since the body may never end. The time is looked at with each, as whoever
     * breaks the call off may wait for a lock that this thread has nearly always.
     */
    private static void copy(InputStream answer, OutputStream caller, long length, CallDeadline deadline)
            throws IOException {
        var pieces = new Pieces(answer);
        var passed = 0L;
        for (int read; (read = pieces.next()) >= 0; passed += read) {
            deadline.check();
            try {
                caller.write(pieces.buffer, 0, read);
                if (length < 0) {
                    caller.flush();
                }
            } catch (IOException e) {
                throw new CallerGoneException(e);
            }
        }
        if (passed < length) {
            throw new CallFailure(Reason.CLOSED, "the answer ended after " + passed + " of " + length + " bytes");
        }
    }
}
