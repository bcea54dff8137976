package townhall;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection to an office that is kept open, with one question at a time. */
final class Line {
    private static final String LENGTH = "content-length:";

    private final byte[] question;
    private final OutputStream out;
    private final InputStream in;

    Line(String host, int port) throws IOException {
        var socket = new Socket(host, port);
        socket.setTcpNoDelay(true);
        question = ("GET / HTTP/1.1\r\nHost: " + host + ":" + port + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream());
    }

    String ask() throws IOException {
        out.write(question);
        int length = 0;
        for (String head = readLine(); !head.isEmpty(); head = readLine()) {
            if (head.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(head.substring(LENGTH.length()).trim());
            }
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private String readLine() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the office hung up");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
