package plimsoll.gateway.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class PiecesTest {

    @Test
    void theEndIsTheBodys() throws Exception {
        var pieces = new Pieces(new ByteArrayInputStream(new byte[20_000]));

        assertThat(pieces.next()).isEqualTo(16_384);
        assertThat(pieces.next()).isEqualTo(3_616);
        assertThat(pieces.next()).isEqualTo(-1);
    }

    /** As many as could hold every carrier for ever; whoever ends them comes last. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void othersHaveTheirTurnBesideBodiesThatNeverWait() throws Exception {
        var isOver = new AtomicBoolean();
        Callable<Integer> reading = () -> {
            var pieces = new Pieces(new Endless());
            while (!isOver.get()) {
                pieces.next();
            }
            return 0;
        };
        var readers = Runtime.getRuntime().availableProcessors() * 2;
        try (var calls = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = Collections.nCopies(readers, reading).stream()
                    .map(calls::submit)
                    .toList();
            calls.submit(() -> isOver.set(true)).get();
            for (var call : running) {
                assertThat(call.get()).isZero();
            }
        }
    }

    private static final class Endless extends InputStream {

        @Override
        public int read() {
            return 'x';
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return length;
        }
    }
}
