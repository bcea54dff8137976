package plants;

import java.io.IOException;
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
            return Upstream.read();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
