package circus;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;

/** Popcorn for visitors, on virtual threads, each of which waits for work that only the common pool does. */
final class Popcorn {
    public static void main(String[] arguments) throws Exception {
        Circus.jdk(Executors.newVirtualThreadPerTaskExecutor(), () -> {
            var salt = CompletableFuture.supplyAsync(Popcorn::askOffice);
            var sugar = CompletableFuture.supplyAsync(Popcorn::askOffice);
            return "popcorn "
                    + salt.thenCombine(sugar, (one, other) -> one + other)
                            .join()
                            .length();
        });
    }

    private static String askOffice() {
        try {
            return Circus.askOffice();
        } catch (java.io.IOException e) {
            throw new CompletionException(e);
        }
    }
}
