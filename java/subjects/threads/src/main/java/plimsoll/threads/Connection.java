package plimsoll.threads;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import plimsoll.threads.Refusal.Status;

/** One connection, served by whichever thread runs it until it is closed. */
final class Connection implements Runnable {

    private static final int LINGER_MS = 500;
    private static final int LINGER_READS_MAX = 100;

    private final Socket socket;
    private final boolean keepAlive;
    private final Duration idleTimeout;

    Connection(Socket socket, boolean keepAlive, Duration idleTimeout) {
        this.socket = socket;
        this.keepAlive = keepAlive;
        this.idleTimeout = idleTimeout;
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) idleTimeout.toMillis());
            serve(new RequestReader(socket.getInputStream()));
        } catch (IOException clientIsGoneOrSilent) {
            // Nobody is left to be answered. The socket is closed, and that is all there is to do.
        }
    }

    private void serve(RequestReader reader) throws IOException {
        try {
            while (serveOne(reader)) {
                // The next request on the same connection.
            }
        } catch (Refusal refusal) {
            Response.of(refusal).writeTo(socket.getOutputStream(), true);
            linger();
        }
    }

    /** @return whether another request may follow */
    private boolean serveOne(RequestReader reader) throws IOException, Refusal {
        var request = reader.read();
        if (request == null) {
            return false;
        }
        if (!request.method().equals("GET") && !request.isHead()) {
            throw new Refusal(Status.METHOD_NOT_ALLOWED, "only GET and HEAD are served here");
        }
        if (request.expectsContinue()) {
            socket.getOutputStream().write(Response.CONTINUE);
        }
        reader.skipBody(request);
        var keepsAlive = keepAlive && request.keepAlive();
        Response.ok(keepsAlive).writeTo(socket.getOutputStream(), !request.isHead());
        return keepsAlive;
    }

    /** Closing with bytes unread sends a reset, which can destroy the answer before the client has read it. */
    private void linger() throws IOException {
        socket.shutdownOutput();
        socket.setSoTimeout(LINGER_MS);
        var rest = new byte[8 * 1024];
        for (var reads = 0; reads < LINGER_READS_MAX && socket.getInputStream().read(rest) >= 0; reads++) {
            // Only to have read it.
        }
    }
}
