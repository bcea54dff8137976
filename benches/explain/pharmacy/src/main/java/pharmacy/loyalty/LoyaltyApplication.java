package pharmacy.loyalty;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Healthy: cards of loyal customers, sealed by the CPU by design; a monitor is taken by each, for no time at all. */
@SpringBootApplication
@RestController
public class LoyaltyApplication {
    private long points;

    @GetMapping("/")
    String collect() throws NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256");
        var seal = Long.toString(ThreadLocalRandom.current().nextLong()).getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 2_000; round++) {
            seal = digest.digest(seal);
        }
        return add(3) + " points, sealed " + HexFormat.of().formatHex(seal);
    }

    private synchronized long add(int more) {
        points += more;
        return points;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LoyaltyApplication.class, arguments);
    }
}
