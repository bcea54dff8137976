package plimsoll.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;

/** An upstream's end of a connection, with the means to be a bad upstream. */
final class Wire {

    private static final int DRIP_EVERY_MS = 100;
    private static final long FLOOD_BYTES_MAX = 64L << 20;

    private final Socket socket;
    private final InputStream in;

    Wire(Socket socket) throws IOException {
        this.socket = socket;
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Reads up to the end of a request's head. */
    void readRequest() throws IOException {
        for (int matched = 0, next; matched < 4; matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : 0) {
            next = in.read();
            if (next < 0) {
                throw new EOFException("no request came");
            }
        }
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Says nothing more, until the other side has had enough. */
    void stall() throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
    }

    /** Neither reads nor says anything, for longer than anyone should wait. */
    void ignore() throws InterruptedException {
        Thread.sleep(Duration.ofMinutes(5));
    }

    /** Byte by byte, for ever: there is always something to read, and never all of it. */
    void drip(String text) throws IOException, InterruptedException {
        while (true) {
            for (var letter : text.split("")) {
                send(letter);
                Thread.sleep(DRIP_EVERY_MS);
            }
        }
    }

    /** More than anyone should hold. */
    void flood(String text) throws IOException {
        var piece = text.repeat(Math.max(1, 8192 / text.length()));
        for (var sent = 0L; sent < FLOOD_BYTES_MAX; sent += piece.length()) {
            send(piece);
        }
        stall();
    }

    /** Closes the connection as a process that crashed does. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Ends what this side says, while it still listens. */
    void closeHalf() throws IOException {
        socket.shutdownOutput();
        stall();
    }
}
