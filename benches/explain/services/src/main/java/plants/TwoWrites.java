package plants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client by hand that sends a request in two parts without TCP_NODELAY, or opens a connection for each call. */
final class TwoWrites {
    private static final ThreadLocal<Connection> CONNECTION = ThreadLocal.withInitial(Connection::new);

    private static final class Connection {
        private final Socket socket;
        private final BufferedReader in;

        Connection() {
            try {
                socket = new Socket(Upstream.URL.getHost(), Upstream.URL.getPort());
                socket.setTcpNoDelay(Boolean.getBoolean("no-delay"));
                in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        String call() throws IOException {
            var out = socket.getOutputStream();
            out.write(
                    "POST / HTTP/1.1\r\nHost: orders\r\nContent-Length: 2\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.write("{}".getBytes(StandardCharsets.US_ASCII));
            return Answer.read(in);
        }
    }

    private static String callOnce() throws IOException {
        var connection = new Connection();
        try (connection.socket) {
            return connection.call();
        }
    }

    public static void main(String[] arguments) {
        boolean keep = !"false".equals(System.getProperty("keep"));
        Serve.undertow(Serve.ROOM, path -> keep ? CONNECTION.get().call() : callOnce());
    }
}
