package support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Where the services of this module find their back end, and a call of it by the JDK's own connection. */
public final class Backend {
    public static final URI ADDRESS = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    public static final int PORT = Integer.getInteger("server.port", 8080);

    private Backend() {}

    public static String fetch() {
        try (var body = ADDRESS.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Socket connect() throws IOException {
        var socket = new Socket(ADDRESS.getHost(), ADDRESS.getPort());
        socket.setTcpNoDelay(true);
        return socket;
    }
}
