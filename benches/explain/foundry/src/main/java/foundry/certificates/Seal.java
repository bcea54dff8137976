package foundry.certificates;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import org.springframework.stereotype.Component;

@Component
class Seal {
    private final Keys keys;

    Seal(Keys keys) {
        this.keys = keys;
    }

    String under(String text) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(keys.named("works"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }
}
