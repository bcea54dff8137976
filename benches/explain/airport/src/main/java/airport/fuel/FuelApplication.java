package airport.fuel;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders of fuel, each line of which is signed: work for the CPU, of which there is as much as the quota allows. */
@SpringBootApplication
@RestController
public class FuelApplication {
    @GetMapping("/")
    String order() throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("kerosene".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var signature = new byte[0];
        for (int line = 0; line < 1_000; line++) {
            mac.update(signature);
            signature = mac.doFinal(("line " + line).getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(signature);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(FuelApplication.class, arguments);
    }
}
