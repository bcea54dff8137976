package plimsoll.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import plimsoll.contract.HostileUpstream.Script;

/** A bad upstream on a port of its own, until it is closed. */
final class HostileServer implements AutoCloseable {

    /** The kind of server at the address that the gateway is given. */
    enum Port {
        HTTP("http"),
        HTTPS("https", Certificates::good),
        EXPIRED("https", Certificates::expired),
        OF_ANOTHER_HOST("https", Certificates::ofAnotherHost),
        OF_A_STRANGER("https", Certificates::ofAStranger),
        DEMANDING_A_CERTIFICATE("https", Certificates::good),
        /** Called by https, it speaks no TLS. */
        HTTP_FOR_HTTPS("https"),
        /** Nobody listens. */
        CLOSED("http"),
        /** Somebody listens and does not accept, and the accept queue is full: the kernel drops what comes. */
        FULL("http");

        private final String scheme;
        private final Supplier<SSLContext> context;

        Port(String scheme) {
            this(scheme, null);
        }

        Port(String scheme, Supplier<SSLContext> context) {
            this.scheme = scheme;
            this.context = context;
        }
    }

    private static final int FULL_AFTER_MS = 1_500;

    private final Port port;
    private final Script script;
    private final SSLContext context;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    HostileServer(HostileUpstream upstream) throws IOException {
        this(upstream.port, upstream.script);
    }

    HostileServer(Port port, Script script) throws IOException {
        this.port = port;
        this.script = script;
        context = port.context == null ? null : port.context.get();
        listener = new ServerSocket(0, port == Port.FULL ? 1 : 50, InetAddress.getLoopbackAddress());
        switch (port) {
            case CLOSED -> listener.close();
            case FULL -> fill();
            default -> Thread.ofVirtual().start(this::acceptAll);
        }
    }

    String url() {
        return port.scheme + "://127.0.0.1:" + port() + "/";
    }

    int port() {
        return listener.getLocalPort();
    }

    private void fill() throws IOException {
        try {
            while (true) {
                var socket = new Socket();
                sockets.add(socket);
                socket.connect(
                        new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()), FULL_AFTER_MS);
            }
        } catch (SocketTimeoutException full) {
            // As it was to be.
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                var socket = listener.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket plain) {
        try (plain;
                var socket = secured(plain)) {
            script.play(new Wire(socket));
        } catch (Exception otherSideLeft) {
            // It may: whether it was right to, the test sees from what its caller gets.
        } finally {
            sockets.remove(plain);
        }
    }

    private Socket secured(Socket plain) throws IOException {
        if (context == null) {
            return plain;
        }
        var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), true);
        socket.setUseClientMode(false);
        socket.setNeedClientAuth(port == Port.DEMANDING_A_CERTIFICATE);
        socket.startHandshake();
        return socket;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var socket : sockets) {
            socket.close();
        }
    }
}
