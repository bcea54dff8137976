package ski.races;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Healthy: results of races, ranked by an executor with a thread for each CPU, which work all the time. */
@SpringBootApplication
public class RacesApplication {
    @Bean
    ThreadPoolTaskExecutor ranking() {
        var ranking = new ThreadPoolTaskExecutor();
        ranking.setCorePoolSize(Runtime.getRuntime().availableProcessors());
        ranking.setThreadNamePrefix("ranking-");
        return ranking;
    }

    @RestController
    record Results(ThreadPoolTaskExecutor ranking) {
        @GetMapping("/")
        CompletableFuture<String> winner() {
            return ranking.submitCompletable(Results::rank);
        }

        private static String rank() {
            double best = Double.MAX_VALUE;
            for (int run = 0; run < 8; run++) {
                var times = ThreadLocalRandom.current().doubles(8_000, 60, 180).toArray();
                Arrays.sort(times);
                best = Math.min(best, times[0]);
            }
            return "winner after " + best + " s";
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(RacesApplication.class, arguments);
    }
}
