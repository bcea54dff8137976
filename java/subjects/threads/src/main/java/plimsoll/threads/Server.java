package plimsoll.threads;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** Accepts connections and hands each to a thread, until it is closed. */
final class Server implements AutoCloseable {

    /** When descriptors are exhausted, {@code accept} fails at once and again: without a pause it would burn a processor. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(10);

    private final ServerSocket listener;
    private final ExecutorService threads;
    private final Settings settings;
    private final Failures failures;

    /** @param listener bound already */
    Server(ServerSocket listener, ExecutorService threads, Settings settings, Failures failures) {
        this.listener = listener;
        this.threads = threads;
        this.settings = settings;
        this.failures = failures;
    }

    /** Runs until {@link #close}; whatever fails concerns one connection, never the server. */
    void acceptAll() throws InterruptedException {
        while (!listener.isClosed()) {
            try {
                handOver(listener.accept());
            } catch (IOException | OutOfMemoryError e) {
                if (!listener.isClosed()) {
                    failures.add("a connection was not accepted", e);
                    Thread.sleep(PAUSE_AFTER_FAILURE);
                }
            }
        }
    }

    private void handOver(Socket socket) throws IOException {
        try {
            threads.execute(new Connection(socket, settings.keepAlive(), settings.idleTimeout()));
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            // "unable to create native thread" is an OutOfMemoryError, too.
            socket.close();
            failures.add("a connection was closed for want of a thread", e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
