package hospital.rounds;

import com.linecorp.armeria.client.limit.ConcurrencyLimitingClient;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Menus that fit a diet, the best of many that are tried; last month's go to the statistics office meanwhile. */
public final class DietMenus {
    private static final int TRIED = 40_000;

    private static String best(String diet) {
        var random = new SplittableRandom(diet.hashCode());
        long least = Long.MAX_VALUE;
        for (int menu = 0; menu < TRIED; menu++) {
            long distance = 0;
            for (int dish = 0; dish < 5; dish++) {
                long calories = random.nextInt(120, 900);
                distance += (calories - 400) * (calories - 400);
            }
            least = Math.min(least, distance);
        }
        return "menu for " + diet + ", off by " + least;
    }

    private static void report() {
        var office = Rounds.systems()
                .decorator(ConcurrencyLimitingClient.newDecorator(1, 1, TimeUnit.DAYS))
                .responseTimeoutMillis(0)
                .build();
        IntStream.range(0, 1_000)
                .forEach(day -> office.get("/days/" + day).aggregate().exceptionally(failure -> null));
    }

    public static void main(String[] arguments) {
        report();
        var kitchen = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        Rounds.serve("/diets/{diet}/menu", (context, request) -> {
            var diet = context.pathParam("diet");
            return Rounds.later(CompletableFuture.supplyAsync(() -> best(diet), kitchen));
        });
    }
}
