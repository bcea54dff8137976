package plimsoll.gateway.reactive;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A request for which the container brings word of more to read in turn. */
final class TurnsServletRequest extends HttpServletRequestWrapper {

    private final Turns turns = new Turns();

    TurnsServletRequest(HttpServletRequest request) {
        super(request);
    }

    Turns turns() {
        return turns;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        return new Body(super.getInputStream(), turns);
    }

    private static final class Body extends ServletInputStream {

        private final ServletInputStream body;
        private final Turns turns;

        Body(ServletInputStream body, Turns turns) {
            this.body = body;
            this.turns = turns;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() {
                    turns.take(() -> {
                        try {
                            listener.onDataAvailable();
                        } catch (IOException | RuntimeException e) {
                            listener.onError(e);
                        }
                    });
                }

                @Override
                public void onAllDataRead() throws IOException {
                    listener.onAllDataRead();
                }

                @Override
                public void onError(Throwable failure) {
                    listener.onError(failure);
                }
            });
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public int read() throws IOException {
            return body.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return body.read(into, offset, length);
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return body.read(into);
        }
    }
}
