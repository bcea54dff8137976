package org.ledgerdb.jdbc;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLNonTransientConnectionException;
import java.util.Locale;

/** One connection to the database: a statement goes out, its rows come back. */
final class Wire implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    Wire(URI server) throws SQLNonTransientConnectionException {
        try {
            socket = new Socket(server.getHost(), server.getPort());
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new SQLNonTransientConnectionException("no connection to " + server, e);
        }
    }

    String ask(String statement) throws SQLNonTransientConnectionException {
        try {
            var body = statement.getBytes(StandardCharsets.UTF_8);
            var head = "POST / HTTP/1.1\r\nHost: ledger\r\nContent-Length: " + body.length + "\r\n\r\n";
            socket.getOutputStream().write((head + statement).getBytes(StandardCharsets.UTF_8));
            return receive();
        } catch (IOException e) {
            throw new SQLNonTransientConnectionException("the connection broke", e);
        }
    }

    private String receive() throws IOException {
        int length = 0;
        for (var line = line(); !line.isEmpty(); line = line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int read = in.read(); read != '\n'; read = in.read()) {
            if (read < 0) {
                throw new IOException("the database closed the connection");
            }
            if (read != '\r') {
                line.append((char) read);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Closed all the same.
        }
    }
}
