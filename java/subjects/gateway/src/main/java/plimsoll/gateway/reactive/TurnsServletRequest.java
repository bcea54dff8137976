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

    /**
     * Tells of its end itself. Tomcat would do so by a thread of its own if another one meets the end, and that thread may come
     * when the answer is complete, which costs the answer.
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

        /** The end may be met by looking for more. */
        @Override
        public boolean isReady() {
            return body.isFinished() || body.isReady() || body.isFinished();
        }

        @Override
        public boolean isFinished() {
            return ended;
        }

        @Override
        public int read() throws IOException {
            return ends() ? END : body.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return ends() ? END : body.read(into, offset, length);
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return ends() ? END : body.read(into);
        }

        private boolean ends() {
            ended = body.isFinished();
            return ended;
        }
    }
}
