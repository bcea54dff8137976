package plants;

import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A password's hash for each request. */
final class HotHash {
    private static final int ITERATIONS = Integer.getInteger("iterations", 5000);

    public static void main(String[] arguments) throws Exception {
        var factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
        Serve.jetty(path -> {
            var key = new PBEKeySpec(path.toCharArray(), "plimsoll".getBytes(), ITERATIONS, 256);
            return "hash " + factory.generateSecret(key).getEncoded().length;
        });
    }
}
