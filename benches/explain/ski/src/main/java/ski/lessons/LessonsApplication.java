package ski.lessons;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Ski lessons, confirmed by mail; limited by the scheduler's one thread, which the mails were given to as well. */
@SpringBootApplication
@EnableScheduling
@RestController
public class LessonsApplication {
    private final AtomicInteger booked = new AtomicInteger();
    private final ThreadPoolTaskScheduler background;
    private final RestClient mails;

    LessonsApplication(
            ThreadPoolTaskScheduler background, RestClient.Builder clients, @Value("${upstream}") String address) {
        this.background = background;
        mails = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    CompletableFuture<String> book() {
        return background.submitCompletable(this::confirm);
    }

    private String confirm() {
        var sent = mails.get().uri("/mails/lesson").retrieve().body(String.class);
        return "lesson " + booked.incrementAndGet() + " confirmed, " + sent.length();
    }

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
    void countTheDay() {
        booked.updateAndGet(lessons -> lessons % 1_000_000);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LessonsApplication.class, arguments);
    }
}
