package plimsoll.contract;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A body that is nowhere held. Each block of it tells its place, so that a lost or a repeated one is found. */
final class Body extends InputStream {

    private static final int BLOCK_BYTES = 64 * 1024;

    private final long bytes;
    private long at;

    Body(long bytes) {
        this.bytes = bytes;
    }

    /** How long a body is, and a checksum of it. */
    static String describe(InputStream body) throws IOException {
        var checksum = new CRC32C();
        var block = new byte[BLOCK_BYTES];
        var bytes = 0L;
        for (int read = body.read(block); read >= 0; read = body.read(block)) {
            checksum.update(block, 0, read);
            bytes += read;
        }
        return bytes + " bytes, checksum " + checksum.getValue();
    }

    @Override
    public int read() {
        return at == bytes ? -1 : byteAt(at++);
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (at == bytes) {
            return -1;
        }
        var leftInBlock = BLOCK_BYTES - at % BLOCK_BYTES;
        var count = (int) Math.min(Math.min(bytes - at, leftInBlock), length);
        Arrays.fill(into, offset, offset + count, (byte) byteAt(at));
        at += count;
        return count;
    }

    private static int byteAt(long position) {
        return (int) (position / BLOCK_BYTES % 251);
    }
}
