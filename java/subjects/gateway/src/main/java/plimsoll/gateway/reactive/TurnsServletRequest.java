package plimsoll.gateway.reactive;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
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

    /**
     * Tells of its end and of its failure itself. Asked whether more of a body is ready that is at its end, Tomcat would process the
     * connection once more, maybe when the answer is complete, which costs the answer; and Spring would keep a failure to itself
     * until the next word comes, which may be never.
     */
    private static final class Body extends ServletInputStream {

        private static final int END = -1;

        private final ServletInputStream body;
        private final Turns turns;
        private boolean ended;

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
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
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
            return body.isFinished() || body.isReady();
        }

        @Override
        public boolean isFinished() {
            return ended;
        }

        @Override
        public int read() {
            return read(body::read);
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            return read(() -> body.read(into, offset, length));
        }

        @Override
        public int read(ByteBuffer into) {
            return read(() -> body.read(into));
        }

        private int read(Reading reading) {
            ended = body.isFinished();
            try {
                return ended ? END : reading.read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private interface Reading {
        int read() throws IOException;
    }
}
