package plimsoll.gateway.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import plimsoll.gateway.call.ForwardedHeaders.Caller;
import plimsoll.gateway.policy.TargetPolicy;

/** Reads what an internal system asks for; the same for either server. */
public final class CallRequests {

    private static final String TARGET_HEADER = "X-Target-Url";
    private static final String TARGET_PARAMETER = "url";
    private static final Set<HttpMethod> MAY_HAVE_BODY =
            Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

    private final TargetPolicy policy;

    public CallRequests(TargetPolicy policy) {
        this.policy = policy;
    }

    /**
     * The call that a request asks for.
     *
     * @param query the request's query as it came; may be null
     * @throws CallFailure if the call cannot be made or may not be
     */
    public CallRequest read(String method, String query, HttpHeaders received, Caller caller) {
        checkFraming(received);
        var target = policy.admit(target(query, received));
        var chunked = received.containsHeader(HttpHeaders.TRANSFER_ENCODING);
        var headers = ForwardedHeaders.toUpstream(received, caller);
        var httpMethod = HttpMethod.valueOf(method);
        if (chunked) {
            headers.remove(HttpHeaders.CONTENT_LENGTH);
        } else if (MAY_HAVE_BODY.contains(httpMethod) && headers.getContentLength() < 0) {
            headers.setContentLength(0);
        }
        return new CallRequest(httpMethod, target, headers, chunked || headers.getContentLength() > 0);
    }

    /** Refuses what a server must refuse (RFC 9112, 3.2 and 6.1), and Netty's does not. */
    private static void checkFraming(HttpHeaders received) {
        if (received.getOrEmpty(HttpHeaders.HOST).size() != 1) {
            throw new CallFailure(Reason.BAD_REQUEST, "a request has exactly one Host");
        }
        if (!ForwardedHeaders.isChunkedOrNone(received)) {
            throw new CallFailure(Reason.BAD_REQUEST, "the only transfer coding is chunked, once");
        }
    }

    /** The URL that a request names, in the header or else in the parameter. */
    private static String target(String query, HttpHeaders received) {
        var named = received.getOrEmpty(TARGET_HEADER);
        if (named.size() > 1) {
            throw new CallFailure(Reason.BAD_TARGET, "there is more than one header " + TARGET_HEADER);
        }
        var url = named.isEmpty() ? parameter(query, TARGET_PARAMETER) : HeaderText.fromBytes(named.getFirst());
        if (url == null || url.isBlank()) {
            throw new CallFailure(
                    Reason.BAD_TARGET,
                    "name the URL to call in the header " + TARGET_HEADER + ", or encoded in the parameter "
                            + TARGET_PARAMETER);
        }
        return url;
    }

    /** The first value of a parameter of a query, decoded; null if there is none. */
    private static String parameter(String query, String name) {
        for (var pair : (query == null ? "" : query).split("&")) {
            if (pair.startsWith(name + "=")) {
                try {
                    return URLDecoder.decode(pair.substring(name.length() + 1), UTF_8);
                } catch (IllegalArgumentException e) {
                    throw new CallFailure(Reason.BAD_TARGET, "the parameter " + name + " is not well encoded");
                }
            }
        }
        return null;
    }
}
