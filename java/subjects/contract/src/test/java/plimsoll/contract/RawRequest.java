package plimsoll.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** Requests that no HTTP library would send. */
final class RawRequest {

    private static final int SILENT_MS = 2_000;
    private static final int ANSWERED_WITHIN_MS = 60_000;

    private RawRequest() {}

    /** The head of a request that a gateway is to call a URL with a body, which follows in chunks. */
    static String chunkedPost(String url) {
        return "POST /call HTTP/1.1\r\nHost: gateway\r\nX-Target-Url: " + url
                + "\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    /**
     * Sends a body to a URL through a gateway, and hears what is said meanwhile; an HTTP library may give up when it can send no more.
     *
     * @return the answer's first line; null if there is none
     */
    static String post(int port, String url, byte[] body, Duration atMost) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) atMost.toMillis());
            var head = "POST /call HTTP/1.1\r\nHost: gateway\r\nX-Target-Url: " + url + "\r\nContent-Length: "
                    + body.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(ISO_8859_1));
            Thread.startVirtualThread(() -> {
                try {
                    socket.getOutputStream().write(body);
                } catch (IOException otherSideLeft) {
                    // It may, after it has answered.
                }
            });
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1)).readLine();
        }
    }

    /**
     * Sends bytes as they are.
     *
     * @return everything that came back until the connection was closed, or nothing came for a while
     */
    static String send(int port, String bytes) throws IOException {
        return send(port, bytes, SILENT_MS);
    }

    /** Sends bytes that are answered, be it by the end of the connection: a busy machine may take its time. */
    static String sendAndAwait(int port, String bytes) throws IOException {
        return send(port, bytes, ANSWERED_WITHIN_MS);
    }

    private static String send(int port, String bytes, int beginsWithinMs) throws IOException {
        var answer = new ByteArrayOutputStream();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(beginsWithinMs);
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
            var first = socket.getInputStream().read();
            if (first >= 0) {
                answer.write(first);
                socket.setSoTimeout(SILENT_MS);
                socket.getInputStream().transferTo(answer);
            }
        } catch (SocketTimeoutException | SocketException silentOrReset) {
            // The answer is what came before.
        }
        return answer.toString(ISO_8859_1);
    }
}
