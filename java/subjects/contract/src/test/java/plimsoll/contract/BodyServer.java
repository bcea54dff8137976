package plimsoll.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An upstream of bodies of any size: {@code GET /length} and {@code GET /chunked} send one, {@code POST} says what came. */
final class BodyServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<Boolean> ended = new LinkedBlockingQueue<>();
    private final long bytes;

    /** @param bytes of each body that is sent */
    BodyServer(long bytes) throws IOException {
        this.bytes = bytes;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/length", exchange -> send(exchange, bytes));
        server.createContext("/chunked", exchange -> send(exchange, 0));
        server.createContext("/upload", this::receive);
        server.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Whether the next body that ended was whole, or broke off; null if none did within the time. */
    Boolean nextIsWhole(Duration patience) throws InterruptedException {
        return ended.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    void forgetEnded() {
        ended.clear();
    }

    private void send(HttpExchange exchange, long length) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, length);
            new Body(bytes).transferTo(exchange.getResponseBody());
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] answer;
            try {
                answer = Body.describe(exchange.getRequestBody()).getBytes(US_ASCII);
            } catch (IOException e) {
                ended.add(false);
                throw e;
            }
            ended.add(true);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
