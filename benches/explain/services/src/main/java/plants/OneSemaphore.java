package plants;

import java.util.concurrent.Semaphore;

/** A report of which the service makes three at once. */
final class OneSemaphore {
    public static void main(String[] arguments) throws Exception {
        var permits = new Semaphore(Integer.getInteger("permits", 3));
        Serve.tomcat(path -> {
            permits.acquire();
            try {
                Thread.sleep(15);
                return "report";
            } finally {
                permits.release();
            }
        });
    }
}
