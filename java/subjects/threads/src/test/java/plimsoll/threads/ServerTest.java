package plimsoll.threads;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @ParameterizedTest
    @EnumSource
    void answersWithTheBytesOfThePublishedServers(Mode mode) throws Exception {
        try (var running = new Running(mode.executor(2))) {
            assertThat(running.send(GET))
                    .hasSize(122)
                    .isEqualTo("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 38\r\n"
                            + "Connection: close\r\n\r\nserved by a thread of a ServerSocket!\n");
        }
    }

    @Test
    void servesRequestAfterRequestOnOneConnection() throws Exception {
        try (var running = new Running(Mode.POOL.executor(1), "--threads.keep-alive=true")) {
            var withBody = "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
            var last = "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

            var answers = running.send(GET + withBody + last).split("(?=HTTP/1.1)");

            assertThat(answers).hasSize(3);
            assertThat(answers[1])
                    .isEqualTo(answers[0])
                    .contains("Connection: keep-alive")
                    .endsWith("!\n");
            assertThat(answers[2])
                    .contains("200", "Connection: close", "Content-Length: 38")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void asksForABodyThatTheClientHoldsBack() throws Exception {
        try (var running = new Running(Mode.VIRTUAL.executor(1))) {
            var head = "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n";

            assertThat(running.send(head + "b")).startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n");
        }
    }

    @Test
    void refusesOtherMethodsAndWhatItCannotRead() throws Exception {
        try (var running = new Running(Mode.VIRTUAL.executor(1), "--threads.keep-alive=true")) {
            assertThat(running.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nunread" + GET))
                    .startsWith("HTTP/1.1 405 ")
                    .contains("Allow: GET, HEAD", "Connection: close")
                    .endsWith("only GET and HEAD are served here\n");
            assertThat(running.send("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 Bad Request\r\n");
            assertThat(running.send("GET / HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void letsGoOfAClientThatSaysNothing() throws Exception {
        try (var running = new Running(Mode.POOL.executor(1), "--threads.idle-timeout=50ms")) {
            try (var silent = running.connect()) {
                // On a busy machine this one may be silent for too long itself, and is asked again.
                var answer = running.send(GET);
                for (var times = 0; answer.isEmpty() && times < 100; times++) {
                    answer = running.send(GET);
                }
                assertThat(answer).as("the pool's only thread is free again").startsWith("HTTP/1.1 200 ");
                assertThat(silent.getInputStream().read()).isNegative();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, RejectedExecutionException.class})
    void closesConnectionsThatGetNoThreadAndGoesOn(Class<? extends Throwable> refusal) throws Exception {
        var threads = new RefusingThreads(3, refusal);
        try (var running = new Running(threads)) {
            for (var refused = 0; refused < 3; refused++) {
                assertThat(running.send(GET)).isEmpty();
            }
            assertThat(running.send(GET)).startsWith("HTTP/1.1 200 ");
            running.failures.summarise();
        }
        assertThat(log.toString(US_ASCII).lines().toList())
                .as("told once, and counted")
                .hasSize(2)
                .allMatch(line -> line.startsWith("a connection was closed for want of a thread: "))
                .last()
                .asString()
                .endsWith(": 3 times");
    }

    @Test
    void goesOnWhereAConnectionCannotBeAccepted() throws Exception {
        try (var running = new Running(new RefusingListener(5), Mode.VIRTUAL.executor(1))) {
            assertThat(running.send(GET)).startsWith("HTTP/1.1 200 ");
        }
        assertThat(log.toString(US_ASCII).lines().toList())
                .singleElement()
                .asString()
                .contains("not accepted", "Too many open files");
    }

    /** A server on a free port, until it is closed. */
    private final class Running implements AutoCloseable {

        private final Failures failures = new Failures(new PrintStream(log, true, US_ASCII));
        private final ServerSocket listener;
        private final Server server;
        private final CompletableFuture<Void> accepting;

        Running(ExecutorService threads, String... arguments) throws IOException {
            this(new ServerSocket(), threads, arguments);
        }

        Running(ServerSocket listener, ExecutorService threads, String... arguments) throws IOException {
            this.listener = listener;
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server = new Server(listener, threads, Settings.parse(arguments), failures);
            accepting = CompletableFuture.runAsync(this::accept);
        }

        private void accept() {
            try {
                server.acceptAll();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        Socket connect() throws IOException {
            var socket = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
            socket.setSoTimeout(60_000);
            return socket;
        }

        /** Everything that the server answers until it closes the connection; nothing where it does so at once. */
        String send(String request) throws IOException {
            try (var socket = connect()) {
                socket.getOutputStream().write(request.getBytes(US_ASCII));
                return new String(socket.getInputStream().readAllBytes(), US_ASCII);
            } catch (SocketException reset) {
                return "";
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            accepting.orTimeout(1, TimeUnit.MINUTES).join();
        }
    }

    /** Threads that the operating system does not give for the first few times. */
    private static final class RefusingThreads extends ThreadPoolExecutor {

        private final AtomicInteger left;
        private final Class<? extends Throwable> refusal;

        RefusingThreads(int times, Class<? extends Throwable> refusal) {
            super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
            left = new AtomicInteger(times);
            this.refusal = refusal;
        }

        @Override
        public void execute(Runnable command) {
            if (left.getAndDecrement() <= 0) {
                super.execute(command);
            } else if (refusal == OutOfMemoryError.class) {
                throw new OutOfMemoryError("unable to create native thread");
            } else {
                throw new RejectedExecutionException("full");
            }
        }
    }

    /** A listener to which the operating system gives no descriptor for the first few times. */
    private static final class RefusingListener extends ServerSocket {

        private int left;

        RefusingListener(int times) throws IOException {
            left = times;
        }

        @Override
        public Socket accept() throws IOException {
            if (left-- > 0) {
                throw new SocketException("Too many open files");
            }
            return super.accept();
        }
    }
}
