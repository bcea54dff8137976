package plimsoll.gateway.blocking;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/**
 * TLS sockets of calls that can be broken off: what is below the TLS is closed. To close the TLS socket itself would wait until
 * the upstream has read what is being sent to it, which may be never, and {@code HttpURLConnection} knows no other way.
 */
final class CallSockets extends SSLSocketFactory {

    private final SSLSocketFactory factory;

    CallSockets(SSLSocketFactory factory) {
        this.factory = factory;
    }

    /** What {@code HttpURLConnection} asks for first; it asks for the TLS on it once it is connected. */
    @Override
    public Socket createSocket() {
        return new CallSocket();
    }

    @Override
    public Socket createSocket(Socket connected, String host, int port, boolean autoClose) throws IOException {
        return factory.createSocket(connected, host, port, autoClose);
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return factory.getSupportedCipherSuites();
    }

    /** Belongs to the call that has written last: connections are kept, and used again. */
    private static final class CallSocket extends Socket {

        private volatile OutboundCall owner;

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    var call = OutboundCall.current();
                    if (call != null && call != owner) {
                        owner = call;
                        call.onCancel(() -> closeFor(call));
                    }
                    out.write(bytes, from, length);
                }
            };
        }

        private void closeFor(OutboundCall call) {
            try {
                if (call == owner) {
                    close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
