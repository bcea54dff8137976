package plimsoll.gateway.call;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.http.HttpHeaders;

/** The headers that an intermediary passes on, in both directions, and those that it adds. */
public final class ForwardedHeaders {

    /** How the gateway calls itself in {@code Via}. */
    static final String PSEUDONYM = "1.1 plimsoll-gateway";

    /** Headers of one connection only (RFC 9110, 7.6.1, and older software), whether {@code Connection} names them or not. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /**
     * Between the caller and the gateway, or for the gateway to say. The server has answered {@code Expect}; the client sets
     * {@code Host} from the target.
     */
    private static final Set<String> OF_THE_REQUEST =
            Set.of("expect", "forwarded", "host", "x-real-ip", "x-target-url");

    /** Headers of an answer, as bytes: with the gateway's own no more than the 8 KiB that either server sends. */
    private static final int HEAD_BYTES_MAX = 7 * 1024;

    private ForwardedHeaders() {}

    /**
     * The caller, as {@code X-Forwarded-*} tells the upstream.
     *
     * @param address the caller's IP address
     * @param scheme how the gateway was called
     * @param host the {@code Host} that the gateway was called by
     */
    public record Caller(String address, String scheme, String host) {}

    /**
     * The headers for the upstream.
     *
     * @throws CallFailure if one of them is none
     */
    public static HttpHeaders toUpstream(HttpHeaders received, Caller caller) {
        HeaderSyntax.check(received, fault -> new CallFailure(Reason.BAD_REQUEST, "the request has " + fault));
        var headers = withoutConnection(received, OF_THE_REQUEST);
        headers.headerNames().stream()
                .filter(ForwardedHeaders::mayBeTakenForAnother)
                .toList()
                .forEach(headers::remove);
        append(headers, "Via", PSEUDONYM);
        headers.set("X-Forwarded-For", caller.address());
        headers.set("X-Forwarded-Proto", caller.scheme());
        headers.set("X-Forwarded-Host", caller.host());
        return headers;
    }

    /**
     * The headers for the caller.
     *
     * @throws CallFailure if the answer's head is none that can be passed on
     */
    public static HttpHeaders toCaller(int status, HttpHeaders answered) {
        if (status < 200 || status > 599) {
            throw answered("status " + status);
        }
        HeaderSyntax.check(answered, ForwardedHeaders::answered);
        checkSize(answered);
        checkFraming(answered);
        var headers = withoutConnection(answered, Set.of());
        append(headers, "Via", PSEUDONYM);
        if (status == 204 || status == 304 || answered.containsHeader(HttpHeaders.TRANSFER_ENCODING)) {
            // Not every server would leave out the length of a body that there is not; and of chunks it is not the
            // length.
            headers.remove(HttpHeaders.CONTENT_LENGTH);
        }
        return headers;
    }

    private static CallFailure answered(String fault) {
        return new CallFailure(Reason.PROTOCOL, "the upstream answered with " + fault);
    }

    private static void checkSize(HttpHeaders answered) {
        var bytes = 0;
        for (var header : answered.headerSet()) {
            for (var value : header.getValue()) {
                bytes += header.getKey().length() + value.length() + ": \r\n".length();
            }
        }
        if (bytes > HEAD_BYTES_MAX) {
            throw answered("headers of " + bytes + " bytes, and " + HEAD_BYTES_MAX + " are passed on");
        }
    }

    private static void checkFraming(HttpHeaders answered) {
        var lengths = Set.copyOf(answered.getOrEmpty(HttpHeaders.CONTENT_LENGTH));
        if (lengths.size() > 1 || !lengths.stream().allMatch(length -> length.matches("[0-9]+"))) {
            throw answered("the lengths " + lengths);
        }
        if (!isChunkedOrNone(answered)) {
            throw answered("the transfer codings " + answered.get(HttpHeaders.TRANSFER_ENCODING));
        }
    }

    /** Whether the body is in no transfer coding but chunks, once: clients undo no other. */
    static boolean isChunkedOrNone(HttpHeaders headers) {
        var codings = headers.getOrEmpty(HttpHeaders.TRANSFER_ENCODING);
        return codings.isEmpty() || codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked");
    }

    private static HttpHeaders withoutConnection(HttpHeaders all, Set<String> more) {
        var named = namedByConnection(all);
        var kept = new HttpHeaders();
        all.forEach((name, values) -> {
            var lower = name.toLowerCase(Locale.ROOT);
            if (!HOP_BY_HOP.contains(lower) && !more.contains(lower) && !named.contains(lower)) {
                values.forEach(value -> kept.add(name, value));
            }
        });
        return kept;
    }

    private static Set<String> namedByConnection(HttpHeaders headers) {
        var named = new TreeSet<String>();
        for (var value : headers.getOrEmpty(HttpHeaders.CONNECTION)) {
            for (var name : value.split(",")) {
                named.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        // A caller must not take the framing of the body away by naming it.
        named.remove("content-length");
        return named;
    }

    private static void append(HttpHeaders headers, String name, String value) {
        var before = String.join(", ", headers.getOrEmpty(name));
        headers.set(name, before.isEmpty() ? value : before + ", " + value);
    }

    /** The gateway alone says who asked; and to some servers {@code Transfer_Encoding} is {@code Transfer-Encoding}. */
    private static boolean mayBeTakenForAnother(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith("x-forwarded-") || name.contains("_");
    }
}
