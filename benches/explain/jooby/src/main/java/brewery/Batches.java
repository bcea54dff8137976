package brewery;

import java.util.concurrent.ThreadLocalRandom;
import org.cache2k.Cache;
import org.cache2k.Cache2kBuilder;

/** Protocols of batches in a cache2k cache, which keeps as many as fit into the heap, and hardly more. */
public final class Batches {
    private static final int NUMBERS = 12_500;

    private record Protocol(long[] measured) {}

    public static void main(String[] arguments) {
        var protocols = protocols(Integer.getInteger("batches.kept", 600));
        Brewery.open(() -> {
            int batch = ThreadLocalRandom.current().nextInt(1_200);
            return "measured " + protocols.get(batch).measured()[batch];
        });
    }

    private static Cache<Integer, Protocol> protocols(int kept) {
        return new Cache2kBuilder<Integer, Protocol>() {}.entryCapacity(kept)
                .loader(Batches::measure)
                .build();
    }

    private static Protocol measure(int batch) {
        var measured = new long[NUMBERS];
        measured[batch] = batch;
        return new Protocol(measured);
    }
}
