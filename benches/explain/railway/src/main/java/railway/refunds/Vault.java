package railway.refunds;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/** History of each refund, step by step. The book starts anew when it is full, as all was paid by then. */
class Vault {
    private static final int LINE = 64;
    private static final int LINES = 500_000;

    private final AtomicLong lines = new AtomicLong();
    private final FileChannel book;
    private final boolean safe;

    Vault(boolean safe) throws IOException {
        this.safe = safe;
        var file = Files.createTempFile("refunds", ".book");
        file.toFile().deleteOnExit();
        book = FileChannel.open(file, StandardOpenOption.WRITE);
    }

    long enter(String ticket, String step) throws IOException {
        long line = lines.getAndIncrement();
        var text = "%-62.62s%n".formatted(line + ";" + ticket + ";" + step);
        book.write(StandardCharsets.UTF_8.encode(text), line % LINES * LINE);
        if (safe) {
            book.force(true);
        }
        return line;
    }
}
