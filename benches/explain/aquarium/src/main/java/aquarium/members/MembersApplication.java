package aquarium.members;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Healthy: what a membership is worth after forty years, month by month; work for the CPU, by threads that suffice. */
@SpringBootApplication
@RestController
public class MembersApplication {
    private static final int MONTHS = 40 * 12;

    @GetMapping("/")
    String worth() {
        var rate = BigDecimal.ONE.add(
                BigDecimal.valueOf(ThreadLocalRandom.current().nextLong(200, 500), 6));
        var deposit = new BigDecimal("12.50");
        var worth = BigDecimal.ZERO;
        for (int month = 0; month < MONTHS; month++) {
            worth = worth.add(deposit).multiply(rate, MathContext.DECIMAL128);
            deposit = deposit.add(worth.divide(BigDecimal.valueOf(1_000_003), MathContext.DECIMAL128));
        }
        return "EUR " + worth.round(new MathContext(8)).toPlainString();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(MembersApplication.class, arguments);
    }
}
