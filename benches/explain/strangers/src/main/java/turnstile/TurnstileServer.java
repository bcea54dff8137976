package turnstile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import support.Backend;

/** Asks for each visitor whether it may enter before it takes the next one from a short listen queue. */
public final class TurnstileServer {
    private static final byte[] WELCOME =
            "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nwelcome\n".getBytes(StandardCharsets.US_ASCII);

    public static void main(String[] arguments) throws IOException {
        var halls = Executors.newCachedThreadPool();
        int backlog = Integer.getInteger("turnstile.backlog", 1);
        try (var door = new ServerSocket(Backend.PORT, backlog, InetAddress.getLoopbackAddress())) {
            while (true) {
                var visitor = door.accept();
                if (mayEnter()) {
                    halls.execute(() -> welcome(visitor));
                } else {
                    visitor.close();
                }
            }
        }
    }

    /** By the answer of another service, a millisecond away. */
    private static boolean mayEnter() {
        return !Backend.fetch().isEmpty();
    }

    private static void welcome(Socket visitor) {
        try (visitor;
                var in = new BufferedReader(
                        new InputStreamReader(visitor.getInputStream(), StandardCharsets.US_ASCII))) {
            visitor.setTcpNoDelay(true);
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()) {
                    visitor.getOutputStream().write(WELCOME);
                }
            }
        } catch (IOException e) {
            System.err.println("a visitor left: " + e);
        }
    }
}
