package plimsoll.gateway.blocking;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;

/** Bodies, piece by piece. */
final class Pieces {

    private static final int BUFFER_BYTES = 16 * 1024;
    /** As often a virtual thread waits for a moment: after a MiB. */
    private static final int PIECES_OF_A_TURN = 64;

    private final InputStream body;
    final byte[] buffer = new byte[BUFFER_BYTES];
    private int pieces;

    Pieces(InputStream body) {
        this.body = body;
    }

    /**
     * Reads the next piece into the buffer. Others have their turn before: a virtual thread that never has to wait stays on its carrier, and
     * as many bodies without end as there are processors would stop the gateway. One that yields stays in its carrier's own queue, which a
     * carrier empties before it takes threads that are new; one that waits comes from outside, as these do.
     *
     * @return its bytes; -1 at the end
     */
    int next() throws IOException {
        if (Thread.currentThread().isVirtual()) {
            if (++pieces % PIECES_OF_A_TURN == 0) {
                LockSupport.parkNanos(1);
            } else {
                Thread.yield();
            }
        }
        return body.read(buffer);
    }
}
