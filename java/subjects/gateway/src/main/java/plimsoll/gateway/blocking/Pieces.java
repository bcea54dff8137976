package plimsoll.gateway.blocking;

import java.io.IOException;
import java.io.InputStream;

/** Bodies, piece by piece. */
final class Pieces {

    private static final int BUFFER_BYTES = 16 * 1024;

    private final InputStream body;
    final byte[] buffer = new byte[BUFFER_BYTES];

    Pieces(InputStream body) {
        this.body = body;
    }

    /**
     * Reads the next piece into the buffer. Others have their turn before: a virtual thread that never has to wait stays on its carrier, and
     * as many bodies without end as there are processors would stop the gateway.
     *
     * @return its bytes; -1 at the end
     */
    int next() throws IOException {
        if (Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
        return body.read(buffer);
    }
}
