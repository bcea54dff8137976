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
            int length = 0;
            for (var line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(line.substring(15).strip());
                }
            }
            var body = new char[length];
            for (int read = 0; read < length; ) {
                read += in.read(body, read, length - read);
            }
            return new String(body);
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
