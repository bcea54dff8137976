package vets.register;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Entries one after the other, and beside them the stock that is left, which is never seen half written. */
@Component
class Journal implements DisposableBean {
    private static final long FULL = 16 << 20;

    private final Path directory = Files.createTempDirectory("vets.register");
    private final Path stock = directory.resolve("stock.dat");
    private final Path newStock = directory.resolve("stock.new");
    private final Path journal = directory.resolve("journal.log");
    private final FileChannel entries = FileChannel.open(journal, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    private final boolean durable;
    private long left = 1_000_000_000;

    Journal(@Value("${register.durable:true}") boolean durable) throws IOException {
        this.durable = durable;
    }

    synchronized long take(String drug, int boxes) throws IOException {
        enter("%d;%s;%d;wanted%n".formatted(System.currentTimeMillis(), drug, boxes));
        left -= boxes;
        replaceStock();
        enter("%d;%s;%d;taken;%d%n".formatted(System.currentTimeMillis(), drug, boxes, left));
        return left;
    }

    private void enter(String line) throws IOException {
        if (entries.position() > FULL) {
            entries.position(0);
        }
        entries.write(StandardCharsets.UTF_8.encode(line));
        sync(entries);
    }

    private void replaceStock() throws IOException {
        try (var file = FileChannel.open(newStock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, left));
            sync(file);
        }
        Files.move(newStock, stock, StandardCopyOption.ATOMIC_MOVE);
        try (var names = FileChannel.open(directory, StandardOpenOption.READ)) {
            sync(names);
        }
    }

    private void sync(FileChannel file) throws IOException {
        if (durable) {
            file.force(true);
        }
    }

    @Override
    public void destroy() throws IOException {
        entries.close();
        Files.deleteIfExists(stock);
        Files.deleteIfExists(newStock);
        Files.deleteIfExists(journal);
        Files.deleteIfExists(directory);
    }
}
