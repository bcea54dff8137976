package plants;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/** A parallel stream of blocking calls: the common pool has one thread for each processor but one. */
final class ParallelStream {
    public static void main(String[] arguments) {
        Serve.undertow(
                Serve.ROOM,
                path -> "length "
                        + IntStream.range(0, 8).parallel().map(i -> lengthOf(i)).sum());
    }

    private static int lengthOf(int item) {
        try {
            return Upstream.read().length() + item;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
