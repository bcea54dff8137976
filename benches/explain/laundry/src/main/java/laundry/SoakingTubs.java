package laundry;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/** Healthy: tubs for soaking, each with a journal that is kept open; descriptors are few, but they are enough. */
final class SoakingTubs {
    private static final List<FileChannel> JOURNALS = new ArrayList<>();

    public static void main(String[] arguments) throws IOException {
        for (int tub = 0; tub < 300; tub++) {
            JOURNALS.add(FileChannel.open(
                    Files.createTempFile("tub", ".journal"),
                    StandardOpenOption.APPEND,
                    StandardOpenOption.DELETE_ON_CLOSE));
        }
        Counter.serve(
                Executors.newFixedThreadPool(50),
                () -> "soaks " + Counter.ask("/tubs/7").length() + " min, one of " + JOURNALS.size());
    }
}
