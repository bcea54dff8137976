package mainframe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import support.Backend;

/** A terminal session with the host: it is logged on once, and then has one transaction after the other. */
final class HostSession {
    private final Socket line;
    private final BufferedReader screen;

    HostSession() throws IOException {
        line = Backend.connect();
        screen = new BufferedReader(new InputStreamReader(line.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    String transact(String transaction) throws IOException {
        var message = "POST /" + transaction + " HTTP/1.1\r\nHost: host\r\nContent-Length: 0\r\n\r\n";
        line.getOutputStream().write(message.getBytes(StandardCharsets.ISO_8859_1));
        int length = 0;
        for (var header = screen.readLine(); !header.isEmpty(); header = screen.readLine()) {
            if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        var text = new char[length];
        for (int read = 0; read < length; ) {
            read += screen.read(text, read, length - read);
        }
        return new String(text);
    }

    void logOff() throws IOException {
        line.close();
    }
}
