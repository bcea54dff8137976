package plants;

import java.security.MessageDigest;
import java.util.concurrent.Executors;

/** Virtual threads that compute, on fewer carriers than processors. */
final class CarrierPerCpu {
    private static final int TIMES = Integer.getInteger("times", 6000);

    public static void main(String[] arguments) throws Exception {
        Serve.jdk(Executors.newVirtualThreadPerTaskExecutor(), path -> {
            var digest = MessageDigest.getInstance("SHA-256");
            var hash = path.getBytes();
            for (int i = 0; i < TIMES; i++) {
                hash = digest.digest(hash);
            }
            return "hash " + hash.length;
        });
    }
}
