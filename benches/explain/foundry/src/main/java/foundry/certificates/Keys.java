package foundry.certificates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Keys in a store on the disk, which the safety officer may exchange at any time. */
@Component
class Keys {
    private final Map<String, Key> known = new ConcurrentHashMap<>();
    private final Path store;
    private final char[] password = "tundish".toCharArray();
    private final boolean keep;

    Keys(@Value("${certificates.keep-keys:false}") boolean keep) throws IOException, GeneralSecurityException {
        this.keep = keep;
        store = Files.createTempFile("works", ".p12");
        store.toFile().deleteOnExit();
        var secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        var keys = KeyStore.getInstance("PKCS12");
        keys.load(null, password);
        keys.setKeyEntry("works", new SecretKeySpec(secret, "HmacSHA256"), password, null);
        try (var out = Files.newOutputStream(store)) {
            keys.store(out, password);
        }
    }

    Key named(String name) {
        return keep ? known.computeIfAbsent(name, this::read) : read(name);
    }

    private Key read(String name) {
        try {
            return KeyStore.getInstance(store.toFile(), password).getKey(name, password);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
