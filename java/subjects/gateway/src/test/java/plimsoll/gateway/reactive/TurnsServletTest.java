package plimsoll.gateway.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletConfig;
import org.springframework.mock.web.MockServletContext;

class TurnsServletTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void wordOfMoreIsNotLostOnAReaderWhoIsAboutToWait() throws Exception {
        assertThat(readFrom(new EagerBody(List.of("one ", "two ", "three"))))
                .succeedsWithin(PATIENCE)
                .isEqualTo("one two three");
    }

    @Test
    void nobodyAsksForMoreOfABodyAtItsEnd() throws Exception {
        assertThat(readFrom(new EndedBody())).succeedsWithin(PATIENCE).isEqualTo("");
    }

    @Test
    void aFailureIsToldAtOnce() throws Exception {
        assertThat(readFrom(new FailingBody()))
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("not a chunk");
    }

    /** What WebFlux reads from such a body; as in the servlet, but for Tomcat, which cannot be made to do its worst. */
    private static CompletableFuture<String> readFrom(ServletInputStream body) throws Exception {
        var read = new CompletableFuture<String>();
        HttpHandler handler = (request, response) -> new TurnsServerRequest(request)
                .getBody()
                .map(TurnsServletTest::text)
                .reduce("", String::concat)
                .doOnSuccess(read::complete)
                .doOnError(read::completeExceptionally)
                .onErrorComplete()
                .then();
        var adapter = new ServletHttpHandlerAdapter(handler) {};
        adapter.init(new MockServletConfig(new MappedContext()));
        adapter.service(new TurnsServletRequest(new BodyRequest(body)), new UnwrittenResponse());
        return read;
    }

    private static String text(DataBuffer data) {
        return data.toString(StandardCharsets.UTF_8);
    }

    private static final class MappedContext extends MockServletContext {

        @Override
        public ServletRegistration getServletRegistration(String name) {
            Class<?>[] type = {ServletRegistration.class};
            return (ServletRegistration)
                    Proxy.newProxyInstance(getClassLoader(), type, (proxy, method, arguments) -> Set.of("/*"));
        }
    }

    private static final class UnwrittenResponse extends MockHttpServletResponse {

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {}

                @Override
                public void write(int octet) {}
            };
        }
    }

    private static final class BodyRequest extends MockHttpServletRequest {

        private final ServletInputStream body;

        BodyRequest(ServletInputStream body) {
            super("POST", "/call");
            setAsyncSupported(true);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            return body;
        }
    }

    /** Whoever finds nothing to read is told, before that is returned, by another thread that now there is something. */
    private static final class EagerBody extends ServletInputStream {

        private final Queue<String> pieces;
        private volatile boolean ready = true;
        private ReadListener listener;

        EagerBody(List<String> pieces) {
            this.pieces = new ArrayDeque<>(pieces);
        }

        @Override
        public void setReadListener(ReadListener listener) {
            this.listener = listener;
        }

        @Override
        public boolean isReady() {
            if (ready) {
                return true;
            }
            ready = true;
            tell();
            return false;
        }

        private void tell() {
            try {
                CompletableFuture.runAsync(() -> {
                            try {
                                listener.onDataAvailable();
                            } catch (IOException e) {
                                listener.onError(e);
                            }
                        })
                        .get();
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            ready = false;
            var piece = pieces.poll();
            if (piece == null) {
                return -1;
            }
            var bytes = piece.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(bytes, 0, into, offset, bytes.length);
            return bytes.length;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("Spring reads blocks");
        }
    }

    /** At its end, where Tomcat must not be asked. */
    private static final class EndedBody extends ServletInputStream {

        @Override
        public void setReadListener(ReadListener listener) {}

        @Override
        public boolean isReady() {
            throw new AssertionError("asked for more of a body at its end");
        }

        @Override
        public boolean isFinished() {
            return true;
        }

        @Override
        public int read() {
            throw new AssertionError("read from a body at its end");
        }
    }

    private static final class FailingBody extends ServletInputStream {

        @Override
        public void setReadListener(ReadListener listener) {}

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public int read() throws IOException {
            throw new IOException("not a chunk");
        }
    }
}
