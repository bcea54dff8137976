package plants;

import java.util.concurrent.Executors;

/** The JDK's own server with an executor of 5 threads, each of which waits for the upstream. */
final class JdkServerThreads {
    public static void main(String[] arguments) throws Exception {
        Serve.jdk(Executors.newFixedThreadPool(Integer.getInteger("threads", 5)), path -> Upstream.call());
    }
}
