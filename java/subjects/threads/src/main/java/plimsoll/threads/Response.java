package plimsoll.threads;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;

/** A response, ready to be written. */
final class Response {

    static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);

    /** With the connection closed after it, the response is 122 bytes in all, the size of the published servers'. */
    private static final String BODY = "served by a thread of a ServerSocket!\n";

    private static final Response CLOSING = new Response("200 OK", "Connection: close\r\n", BODY);
    private static final Response KEEPING = new Response("200 OK", "Connection: keep-alive\r\n", BODY);

    private final byte[] bytes;
    private final int headBytes;

    private Response(String status, String fields, String body) {
        var head = "HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\nContent-Length: " + body.length() + "\r\n"
                + fields + "\r\n";
        bytes = (head + body).getBytes(US_ASCII);
        headBytes = head.length();
    }

    static Response ok(boolean keepsAlive) {
        return keepsAlive ? KEEPING : CLOSING;
    }

    static Response of(Refusal refusal) {
        var allow = refusal.status == Refusal.Status.METHOD_NOT_ALLOWED ? "Allow: GET, HEAD\r\n" : "";
        var status = refusal.status.code + " " + refusal.status.phrase;
        return new Response(status, allow + "Connection: close\r\n", refusal.getMessage() + "\n");
    }

    /** Writes it in one go: a head and a body sent apart would be two packets. */
    void writeTo(OutputStream out, boolean withBody) throws IOException {
        out.write(bytes, 0, withBody ? bytes.length : headBytes);
    }
}
