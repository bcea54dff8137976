package plimsoll.gateway.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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

    /**
     * As many as could hold every carrier for ever; whoever ends them comes last. A virtual thread starts them, so that they are in the queue
     * of its carrier, where those that only yield would stay.
     */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void othersHaveTheirTurnBesideBodiesThatNeverWait() throws Exception {
        var isOver = new AtomicBoolean();
        var readers = Runtime.getRuntime().availableProcessors() * 4;
        var underWay = new CountDownLatch(readers);
        Callable<Integer> reading = () -> {
            var pieces = new Pieces(new Endless());
            for (var count = 0; !isOver.get(); count++) {
                pieces.next();
                if (count == 1_000) {
                    underWay.countDown();
                }
            }
            return 0;
        };
        try (var calls = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = calls.submit(() -> Collections.nCopies(readers, reading).stream()
                            .map(calls::submit)
                            .toList())
                    .get();
            underWay.await();
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
