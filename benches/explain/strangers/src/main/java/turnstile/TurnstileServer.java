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

/** Renews its list of visitors between two that it accepts: meanwhile others come, and the listen queue is short. */
public final class TurnstileServer {
    private static final long RENEWED_EVERY_NS = 250_000_000;

    private final ServerSocket door;
    private String list = "";
    private long renewed;

    private TurnstileServer(ServerSocket door) {
        this.door = door;
    }

    public static void main(String[] arguments) throws IOException {
        int backlog = Integer.getInteger("turnstile.backlog", 1);
        try (var door = new ServerSocket(Backend.PORT, backlog, InetAddress.getLoopbackAddress())) {
            new TurnstileServer(door).open();
        }
    }

    private void open() throws IOException {
        var halls = Executors.newCachedThreadPool();
        while (true) {
            var visitor = door.accept();
            if (mayEnter(visitor)) {
                halls.execute(() -> welcome(visitor));
            } else {
                visitor.close();
            }
        }
    }

    private boolean mayEnter(Socket visitor) {
        if (list.isEmpty() || System.nanoTime() - renewed > RENEWED_EVERY_NS) {
            list = Backend.fetch();
            renewed = System.nanoTime();
        }
        return !list.contains(visitor.getInetAddress().getHostAddress());
    }

    private static void welcome(Socket visitor) {
        try (visitor;
                var in = new BufferedReader(
                        new InputStreamReader(visitor.getInputStream(), StandardCharsets.US_ASCII))) {
            visitor.setTcpNoDelay(true);
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()) {
                    var hall = "hall " + Backend.fetch().length();
                    var answer = "HTTP/1.1 200 OK\r\nContent-Length: " + hall.length() + "\r\n\r\n" + hall;
                    visitor.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("a visitor left: " + e);
        }
    }
}
