package townhall;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;

/** Signatures of postal votes, which are verified: work for the CPU, of which a quota leaves little. */
public final class PostalVotes {
    private static final byte[] VOTE = "vote for the new bridge".getBytes(StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        var keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        var seal = sign(keys);
        TownHall.open(() -> "valid " + isValid(keys.getPublic(), seal));
    }

    private static byte[] sign(KeyPair keys) throws GeneralSecurityException {
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(VOTE);
        return signature.sign();
    }

    private static boolean isValid(PublicKey key, byte[] seal) throws GeneralSecurityException {
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initVerify(key);
        signature.update(VOTE);
        return signature.verify(seal);
    }
}
