package plants;

import java.util.concurrent.Executors;

/** Calls of the upstream that are handed to an executor of 4 threads. */
final class OneExecutor {
    public static void main(String[] arguments) throws Exception {
        var executor = Executors.newFixedThreadPool(Integer.getInteger("threads", 4));
        Serve.jetty(path -> executor.submit(Upstream::call).get());
    }
}
