package aquarium.gates;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import org.springframework.stereotype.Component;

/** Signs tickets, as JSON Web Tokens are, by RS256. */
@Component
class TicketSigner {
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final PrivateKey key;

    TicketSigner() throws GeneralSecurityException {
        var keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(3072);
        key = keys.generateKeyPair().getPrivate();
    }

    String sign(String claims) {
        var bytes = claims.getBytes(StandardCharsets.UTF_8);
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(bytes);
            return TEXT.encodeToString(bytes) + "." + TEXT.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
