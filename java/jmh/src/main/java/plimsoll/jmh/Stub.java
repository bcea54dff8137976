package plimsoll.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An upstream in the benchmark's own process, for a jar that runs alone. It is the JDK's server, because one on Netty would
 * initialise what the first call is to be seen initialising.
 */
final class Stub implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Duration latency;

    /** @param latency how long each answer takes */
    Stub(Duration latency) throws IOException {
        this.latency = latency;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        callOnce();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Thread.sleep(latency);
            var body = "refined".getBytes(US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** So that the first call that is measured does not pay for the server's own first. */
    private void callOnce() {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort())) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
