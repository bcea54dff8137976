package plants;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** supplyAsync without an executor: blocking calls in the common pool. */
final class AsyncCalls {
    public static void main(String[] arguments) throws Exception {
        Serve.jdk(path -> CompletableFuture.supplyAsync(AsyncCalls::call)
                .thenApply(String::strip)
                .get());
    }

    private static String call() {
        try {
            return Upstream.call();
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }
}
