package plants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A thread for each connection. Two settings limit it: the listen queue, together with an acceptor that takes its time, and
 * how an answer is written: in two parts, of which TCP holds the second until the first is acknowledged.
 */
final class PlainSockets {
    private static final int ACCEPT_MS = Integer.getInteger("accept-ms", 0);
    private static final boolean NO_DELAY = Boolean.getBoolean("no-delay");

    public static void main(String[] arguments) throws Exception {
        var address = InetAddress.getLoopbackAddress();
        try (var server = new ServerSocket(Serve.PORT, Integer.getInteger("backlog", 1000), address)) {
            while (true) {
                var connection = server.accept();
                if (ACCEPT_MS > 0) {
                    Thread.sleep(ACCEPT_MS);
                }
                new Thread(() -> serve(connection)).start();
            }
        }
    }

    private static void serve(Socket connection) {
        try (connection;
                var in = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))) {
            connection.setTcpNoDelay(NO_DELAY);
            var out = connection.getOutputStream();
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()) {
                    answer(out);
                }
            }
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    private static void answer(OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write("hello".getBytes(StandardCharsets.US_ASCII));
    }
}
