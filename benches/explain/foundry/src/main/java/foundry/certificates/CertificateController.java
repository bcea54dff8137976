package foundry.certificates;

import java.security.GeneralSecurityException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CertificateController {
    private final Seal seal;

    CertificateController(Seal seal) {
        this.seal = seal;
    }

    @GetMapping("/melts/{melt}/certificate")
    Certificate certificate(@PathVariable String melt) throws GeneralSecurityException {
        var carbon = 0.1 + Math.floorMod(melt.hashCode(), 50) / 100.0;
        var text = "melt " + melt + ": C " + carbon + " %, EN 10204 3.1";
        return new Certificate(melt, text, seal.under(text));
    }

    record Certificate(String melt, String text, String seal) {}
}
