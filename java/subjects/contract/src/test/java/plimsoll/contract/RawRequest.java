package plimsoll.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/** Requests that no HTTP library would send. */
final class RawRequest {

    private static final int SILENT_MS = 2_000;

    private RawRequest() {}

    /** The head of a request that a gateway is to call a URL with a body, which follows in chunks. */
    static String chunkedPost(String url) {
        return "POST /call HTTP/1.1\r\nHost: gateway\r\nX-Target-Url: " + url
                + "\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    /**
     * Sends bytes as they are.
     *
     * @return everything that came back until the connection was closed, or nothing came for a while
     */
    static String send(int port, String bytes) throws IOException {
        var answer = new ByteArrayOutputStream();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(SILENT_MS);
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
            socket.getInputStream().transferTo(answer);
        } catch (SocketTimeoutException | SocketException silentOrReset) {
            // What came before is the answer.
        }
        return answer.toString(ISO_8859_1);
    }
}
