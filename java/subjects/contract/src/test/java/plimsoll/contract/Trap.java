package plimsoll.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** A server at an address that nobody may call: it counts who does, and gives a secret away. */
final class Trap implements AutoCloseable {

    private static final byte[] SECRET =
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret".getBytes(US_ASCII);

    private final AtomicInteger caught = new AtomicInteger();
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    Trap() throws IOException {
        Thread.ofVirtual().start(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    int caught() {
        return caught.get();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try (var socket = listener.accept()) {
                caught.incrementAndGet();
                socket.getOutputStream().write(SECRET);
            } catch (IOException left) {
                // It may: it was caught, or the test is over.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
