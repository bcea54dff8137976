package cinema.vouchers;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.util.NaiveRateLimit;
import java.util.concurrent.TimeUnit;

/** Vouchers that the shops' tills have checked; nobody is to try them out one by one. */
public final class Vouchers {
    private static final int CHECKS_PER_SECOND = Integer.getInteger("vouchers.checks-per-second", 100);

    private Vouchers() {}

    private static void check(Context context) {
        NaiveRateLimit.requestPerTimeUnit(context, CHECKS_PER_SECOND, TimeUnit.SECONDS);
        var voucher = context.pathParam("voucher");
        var valid = digits(voucher) % 97 == 1;
        context.contentType("application/json").result("{\"voucher\": \"" + voucher + "\", \"valid\": " + valid + "}");
    }

    private static long digits(String voucher) {
        return voucher.chars()
                .filter(Character::isDigit)
                .asLongStream()
                .reduce(0, (sum, digit) -> 10 * sum + digit - '0');
    }

    public static void main(String[] arguments) {
        Javalin.create(config -> config.showJavalinBanner = false)
                .get("/vouchers/{voucher}", Vouchers::check)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
