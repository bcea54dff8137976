package foundry.quotes;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClientException;

/** Makes a call now, and twice again, a little later, where it fails. */
@Component
class Attempts {
    private static final int AGAIN = 2;
    private static final Duration LATER = Duration.ofMillis(200);

    private final TaskScheduler scheduler;

    Attempts(TaskScheduler scheduler) {
        this.scheduler = scheduler;
    }

    <T> CompletableFuture<T> at(Supplier<T> call) {
        var answer = new CompletableFuture<T>();
        attempt(call, answer, AGAIN, Instant.now());
        return answer;
    }

    private <T> void attempt(Supplier<T> call, CompletableFuture<T> answer, int again, Instant when) {
        scheduler.schedule(
                () -> {
                    try {
                        answer.complete(call.get());
                    } catch (RestClientException e) {
                        if (again == 0) {
                            answer.completeExceptionally(e);
                        } else {
                            attempt(call, answer, again - 1, Instant.now().plus(LATER));
                        }
                    }
                },
                when);
    }
}
