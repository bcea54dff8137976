package plants;

import java.util.concurrent.Semaphore;

/** The JDK's client, which has no limit, behind a semaphore of the service's own. */
final class JdkClientSemaphore {
    public static void main(String[] arguments) throws Exception {
        var permits = new Semaphore(Integer.getInteger("permits", 5));
        Serve.jdk(path -> {
            permits.acquire();
            try {
                return Upstream.call();
            } finally {
                permits.release();
            }
        });
    }
}
